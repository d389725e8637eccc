import { VOTE_PROGRAM } from "./program-address.ts";
import { isSigned, type TopInstruction, type Transaction } from "./transaction.ts";
import { readVoteInstruction, type VoteInstruction } from "./vote-instructions.ts";

/** A change that a transaction makes if it is carried out, and if one of `authorities` is the account's withdraw authority. */
export type VoteChange = VoteInstruction & {
  /**
   * Who agreed of those who can be the withdraw authority, likeliest first: the runtime takes any signer among the
   * instruction's accounts. Empty where none is asked (`initialized`).
   */
  authorities: string[];
  /** "signature": these signed for this account, which nobody can make up. "told": what endpoints say of it is all there is. */
  proof: "signature" | "told";
};

/** What is not in the signed bytes. */
export interface Carried {
  /** Index of the outer instruction, place of the program, places of the accounts, data in Base64. */
  inner: readonly (readonly [outer: number, program: number, accounts: readonly number[], data: string])[];
  /** Keys from look-up tables, Base58, the writable ones first. */
  loaded: readonly string[];
}

/**
 * In the order in which a transaction makes them. Whether it succeeded, and whose authority is whose, is not said here.
 * None without all signatures: it cannot have been carried out.
 */
export function findVoteChanges(transaction: Transaction, carried: Carried): VoteChange[] {
  // Another count of keys moves every place after them.
  const isTold = carried.loaded.length === transaction.loadedCount;
  const keys = [...transaction.keys, ...(isTold ? carried.loaded : [])];
  const changes = transaction.instructions.flatMap((instruction, outer) => {
    const inner = isTold ? carried.inner.filter(([index]) => index === outer) : [];
    return [...readTop(transaction, keys, instruction), ...inner.flatMap((one) => readInner(keys, one))];
  });
  return changes.length > 0 && isSigned(transaction) ? changes : [];
}

type Keys = readonly (string | undefined)[];

function readTop(transaction: Transaction, keys: Keys, { program, accounts, data }: TopInstruction): VoteChange[] {
  const named = accounts.map((place) => keys[place]);
  const instruction = keys[program] === VOTE_PROGRAM ? readVoteInstruction(data, named) : null;
  if (instruction === null) return [];
  if (instruction.change.of === "initialized") return [toChange(instruction, [], "told")];
  const isBelow = (account: number, count: number) => (accounts[account] ?? Infinity) < count;
  const signers = listCandidates(instruction, named).filter(({ account }) =>
    isBelow(account, transaction.requiredSignatures),
  );
  // Nobody who can be the authority signs: it cannot have succeeded.
  if (signers.length === 0) return [];
  return [toChange(instruction, signers, isBelow(0, transaction.keys.length) ? "signature" : "told")];
}

/** A program can sign for an address of its own, which does not show. */
function readInner(keys: Keys, [, program, accounts, data]: Carried["inner"][number]): VoteChange[] {
  const named = accounts.map((place) => keys[place]);
  const isOurs = keys[program] === VOTE_PROGRAM;
  const instruction = isOurs ? readVoteInstruction(Buffer.from(data, "base64"), named) : null;
  return instruction === null ? [] : [toChange(instruction, listCandidates(instruction, named), "told")];
}

interface Candidate {
  key: string;
  account: number;
}

/** Likeliest first, if they sign. */
function listCandidates({ change, authority, isFromSeed }: VoteInstruction, named: Keys): Candidate[] {
  if (change.of === "initialized") return [];
  const usual = authority === null ? [] : [authority];
  if (isFromSeed) return usual;
  return [...usual, ...named.flatMap((key, account) => (key === undefined ? [] : [{ key, account }]))];
}

function toChange(instruction: VoteInstruction, candidates: Candidate[], proof: VoteChange["proof"]): VoteChange {
  const authorities = [...new Set(candidates.map(({ key }) => key))];
  return { ...instruction, authority: candidates[0] ?? null, authorities, proof };
}
