import { VOTE_PROGRAM } from "./program-address.ts";
import { isSigned, type TopInstruction, type Transaction } from "./transaction.ts";
import { readVoteInstruction, type VoteInstruction } from "./vote-instructions.ts";

/** Made if the transaction succeeds and one of `authorities` is the withdraw authority. */
export type VoteChange = VoteInstruction & {
  /**
   * Likeliest first: the runtime accepts any signer among
   * the instruction's accounts. Empty for `initialized`.
   */
  authorities: string[];
  /** "signature": they signed for this account. "told": endpoints say so. */
  proof: "signature" | "told";
};

/** What the signed bytes leave out. */
export interface Carried {
  /** Data in Base64. */
  inner: readonly (readonly [
    outer: number,
    program: number,
    accounts: readonly number[],
    data: string,
  ])[];
  /** Base58, writable first. */
  loaded: readonly string[];
}

/** None unless all signatures are valid. Does not check success or who holds an authority. */
export function findVoteChanges(transaction: Transaction, carried: Carried): VoteChange[] {
  // With another number of keys, every index is wrong.
  const isTold = carried.loaded.length === transaction.loadedCount;
  const keys = [...transaction.keys, ...(isTold ? carried.loaded : [])];
  const changes = transaction.instructions.flatMap((instruction, outer) => {
    const inner = isTold ? carried.inner.filter(([index]) => index === outer) : [];
    return [
      ...readTop(transaction, keys, instruction),
      ...inner.flatMap((one) => readInner(keys, one)),
    ];
  });
  return changes.length > 0 && isSigned(transaction) ? changes : [];
}

type Keys = readonly (string | undefined)[];

function readTop(
  transaction: Transaction,
  keys: Keys,
  { program, accounts, data }: TopInstruction,
): VoteChange[] {
  const named = accounts.map((place) => keys[place]);
  const instruction = keys[program] === VOTE_PROGRAM ? readVoteInstruction(data, named) : null;
  if (instruction === null) return [];
  if (instruction.change.of === "initialized") return [toChange(instruction, [], "told")];
  const isBelow = (account: number, count: number) => (accounts[account] ?? Infinity) < count;
  const signers = listCandidates(instruction, named).filter(({ account }) =>
    isBelow(account, transaction.requiredSignatures),
  );
  // No possible authority signs, so it failed.
  if (signers.length === 0) return [];
  return [
    toChange(instruction, signers, isBelow(0, transaction.keys.length) ? "signature" : "told"),
  ];
}

/** A program can sign for its own address without showing it. */
function readInner(
  keys: Keys,
  [, program, accounts, data]: Carried["inner"][number],
): VoteChange[] {
  const named = accounts.map((place) => keys[place]);
  const isOurs = keys[program] === VOTE_PROGRAM;
  const instruction = isOurs ? readVoteInstruction(Buffer.from(data, "base64"), named) : null;
  return instruction === null
    ? []
    : [toChange(instruction, listCandidates(instruction, named), "told")];
}

interface Candidate {
  key: string;
  account: number;
}

function listCandidates(
  { change, authority, isFromSeed }: VoteInstruction,
  named: Keys,
): Candidate[] {
  if (change.of === "initialized") return [];
  const usual = authority === null ? [] : [authority];
  if (isFromSeed) return usual;
  return [
    ...usual,
    ...named.flatMap((key, account) => (key === undefined ? [] : [{ key, account }])),
  ];
}

function toChange(
  instruction: VoteInstruction,
  candidates: Candidate[],
  proof: VoteChange["proof"],
): VoteChange {
  const authorities = [...new Set(candidates.map(({ key }) => key))];
  return { ...instruction, authority: candidates[0] ?? null, authorities, proof };
}
