import { VOTE_PROGRAM } from "./program-address.ts";
import { isSigned, type TopInstruction, type Transaction } from "./transaction.ts";
import { readVoteInstruction, type VoteInstruction } from "./vote-instructions.ts";

/**
 * A change of a vote account. It takes effect only if the transaction succeeds and one of
 * `authorities` is the account's withdraw authority.
 */
export type VoteChange = VoteInstruction & {
  /**
   * Keys that may act as withdraw authority, likeliest first, because the runtime accepts any
   * signer among the instruction's accounts. Empty for `initialized`.
   */
  authorities: string[];
  /** "signature": the authorities signed for this account. "reported": only endpoints report it. */
  proof: "signature" | "reported";
};

/** What a transaction did beyond its signed bytes, as endpoints answer it. */
export interface Carried {
  /** Inner instructions: indexes, and data in Base64. */
  inner: readonly (readonly [
    outer: number,
    program: number,
    accounts: readonly number[],
    data: string,
  ])[];
  /** Keys from look-up tables in Base58, writable ones first. */
  loaded: readonly string[];
}

/**
 * Finds the changes of vote accounts in a transaction, in their order; empty unless all signatures
 * are valid. It checks neither that the transaction succeeded nor who holds an authority.
 */
export function findVoteChanges(transaction: Transaction, carried: Carried): VoteChange[] {
  // With another number of looked-up keys, every index would be wrong.
  const hasLoadedKeys = carried.loaded.length === transaction.loadedCount;
  const keys = [...transaction.keys, ...(hasLoadedKeys ? carried.loaded : [])];
  const changes = transaction.instructions.flatMap((instruction, outer) => {
    const inner = hasLoadedKeys ? carried.inner.filter(([index]) => index === outer) : [];
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
  const named = accounts.map((index) => keys[index]);
  const instruction = keys[program] === VOTE_PROGRAM ? readVoteInstruction(data, named) : null;
  if (instruction === null) return [];
  if (instruction.change.of === "initialized") return [toChange(instruction, [], "reported")];
  const isBelow = (account: number, count: number) => (accounts[account] ?? Infinity) < count;
  const signers = listCandidates(instruction, named).filter(({ account }) =>
    isBelow(account, transaction.requiredSignatures),
  );
  // The runtime refuses an instruction that no possible authority signs.
  if (signers.length === 0) return [];
  return [
    toChange(instruction, signers, isBelow(0, transaction.keys.length) ? "signature" : "reported"),
  ];
}

/** Signers of an inner instruction are not visible: a program can sign for its own addresses. */
function readInner(
  keys: Keys,
  [, program, accounts, data]: Carried["inner"][number],
): VoteChange[] {
  const named = accounts.map((index) => keys[index]);
  const isOurs = keys[program] === VOTE_PROGRAM;
  const instruction = isOurs ? readVoteInstruction(Buffer.from(data, "base64"), named) : null;
  return instruction === null
    ? []
    : [toChange(instruction, listCandidates(instruction, named), "reported")];
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
