import { VOTE_PROGRAM } from "./programs.ts";
import { isSigned, type Transaction } from "./transaction.ts";
import { readVoteInstruction, type VoteInstruction } from "./vote-instructions.ts";

/** A change that a transaction makes if it is carried out, and if one of `authorities` is the account's withdraw authority. */
export type VoteChange = VoteInstruction & {
  /**
   * Whoever can be the withdraw authority that agreed. The runtime takes any signer among the instruction's accounts for it,
   * at whatever place, so `authority` is only the likeliest of these. Empty where none is asked (`initialized`).
   */
  authorities: string[];
  /** "signature": these signed for this account, which nobody can make up. "told": what endpoints say of it is all there is. */
  proof: "signature" | "told";
};

/** What is not in the signed bytes. */
export interface Carried {
  /** Index of the outer instruction, place of the program, places of the accounts, data in Base64; in the order carried out. */
  inner: readonly (readonly [outer: number, program: number, accounts: readonly number[], data: string])[];
  /** Keys from look-up tables, Base58, the writable ones first. */
  loaded: readonly string[];
}

/**
 * The changes of vote accounts that a transaction makes, in the order in which it makes them. Whether it succeeded, and whose
 * authority is whose, is not said here.
 *
 * Of a transaction without the signatures of all who must sign there are none: it cannot have been carried out, and with
 * another's first signature it would have another name.
 */
export function findVoteChanges(transaction: Transaction, carried: Carried): VoteChange[] {
  // Another count of keys than the message asks for is a mistake or a lie, and every place after them would be another key.
  const isTold = carried.loaded.length === transaction.loadedCount;
  const keys = [...transaction.keys, ...(isTold ? carried.loaded : [])];
  const changes = transaction.instructions.flatMap(({ program, accounts, data }, outer) => {
    const top = keys[program] === VOTE_PROGRAM ? readTop(transaction, { keys, accounts, data }) : null;
    const inner = isTold ? carried.inner.filter(([index]) => index === outer) : [];
    return [...(top === null ? [] : [top]), ...inner.flatMap((one) => readInner(keys, one))];
  });
  return changes.length > 0 && isSigned(transaction) ? changes : [];
}

interface Named {
  keys: readonly string[];
  accounts: readonly number[];
  data: Uint8Array;
}

function readTop(transaction: Transaction, { keys, accounts, data }: Named): VoteChange | null {
  const named = accounts.map((place) => keys[place]);
  const instruction = readVoteInstruction(data, named);
  if (instruction === null) return null;
  if (instruction.change.of === "initialized") return { ...instruction, authorities: [], proof: "told" };
  const signs = (account: number) => (accounts[account] ?? Infinity) < transaction.requiredSignatures;
  const signers = named.flatMap((key, account) => (key !== undefined && signs(account) ? [{ key, account }] : []));
  const { authority, isFromSeed } = instruction;
  const likeliest =
    authority !== null && signs(authority.account) ? authority : isFromSeed ? null : (signers[0] ?? null);
  // Nobody who could be the authority signed: it cannot have succeeded.
  if (likeliest === null) return null;
  const authorities = isFromSeed ? [likeliest.key] : [...new Set(signers.map(({ key }) => key))];
  const isStatic = (accounts[0] ?? Infinity) < transaction.keys.length;
  return { ...instruction, authority: likeliest, authorities, proof: isStatic ? "signature" : "told" };
}

function readInner(keys: readonly string[], [, program, accounts, data]: Carried["inner"][number]): VoteChange[] {
  if (keys[program] !== VOTE_PROGRAM) return [];
  const named = accounts.map((place) => keys[place]);
  const instruction = readVoteInstruction(Buffer.from(data, "base64"), named);
  if (instruction === null) return [];
  return [{ ...instruction, authorities: findCandidates(instruction, named), proof: "told" }];
}

/** A program can sign for an address of its own, which does not show: any of the accounts can have. */
function findCandidates({ change, authority, isFromSeed }: VoteInstruction, named: readonly (string | undefined)[]) {
  if (change.of === "initialized") return [];
  if (isFromSeed) return authority === null ? [] : [authority.key];
  return [...new Set(named.filter((key) => key !== undefined))];
}
