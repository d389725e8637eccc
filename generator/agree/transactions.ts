import { TransactionError } from "../chain/byte-reader.ts";
import { UNINDEXED_SLOTS } from "../chain/slots.ts";
import { decodeTransaction, encodeSignature, type Transaction } from "../chain/transaction.ts";
import type {
  SearchRow,
  TransactionAnswer,
  TransactionRow,
  TransactionsEntry,
} from "../entries/entry.ts";
import { findMajority, isMajority } from "./majority.ts";
import { findAgreedSpans, findSearchedAt, outcomeOf } from "./searches.ts";

/** What a panel agrees on: the searches for transactions, and the transactions found. */
export interface AgreedTransactions {
  panelSize: number;
  /** Successful transactions, ordered by slot and index in the block. */
  transactions: DecodedTransaction[];
  /** Slot of the cluster when the searches were read. */
  slot: number;
  searches: AgreedSearch[];
}

/** A transaction on which a majority agrees, decoded. */
export interface DecodedTransaction extends AgreedTransaction {
  transaction: Transaction;
}

/** How much of an authority's transactions a search covers. */
export interface AgreedSearch {
  authority: string;
  /**
   * "covered": a majority lists the authority's transactions, although maybe none in slots old
   * enough to be covered. Otherwise why it does not.
   */
  outcome: "covered" | "busy" | "refused" | "failed";
  /**
   * Slots in which every transaction of the authority is known: after `after` up to and with
   * `upTo`; null: none.
   */
  covered: { after: number; upTo: number } | null;
}

/** A successful transaction on which a majority agrees, as endpoints answer it. */
export interface AgreedTransaction {
  signature: string;
  slot: number;
  /** Index in the block; null: no majority agrees. */
  index: number | null;
  /** Seconds since 1970; null: no majority agrees. */
  blockTime: number | null;
  /** Signatures and message. */
  bytes: Uint8Array;
  inner: Answer["inner"];
  loaded: Answer["loaded"];
}

type Answer = Extract<TransactionAnswer, { state: "ok" }>;

/**
 * Finds which searches and transactions a majority of the panel agrees on.
 * @param acceptedSlot slot of the newest accepted observation
 */
export function agreeOnTransactions(
  entry: TransactionsEntry,
  acceptedSlot: number,
): AgreedTransactions {
  const panelSize = entry.panel.length;
  const decided = entry.transactions.map((row) => readTransaction(row, panelSize));
  const slot = findSearchedAt(entry.searches, panelSize, acceptedSlot);
  const searches = entry.searches.map((search): AgreedSearch => {
    const undecided = search.transactions.filter((index) => decided[index] === "undecided");
    const rows = undecided.flatMap((index) => entry.transactions[index] ?? []);
    return {
      authority: search.authority,
      ...agreeOnSearch(search, { panelSize, undecided: rows, slot }),
    };
  });
  return {
    panelSize,
    transactions: decided.filter((one) => typeof one !== "string").sort(compareByPosition),
    slot,
    searches,
  };
}

/**
 * Finds the longest span that a majority covers. The newest slots are never covered, because a
 * node's list may lack them.
 */
function agreeOnSearch(
  { answers }: SearchRow,
  {
    panelSize,
    undecided,
    slot,
  }: { panelSize: number; undecided: readonly TransactionRow[]; slot: number },
): Pick<AgreedSearch, "outcome" | "covered"> {
  const listed = findAgreedSpans(answers, panelSize, Infinity);
  const spans = findAgreedSpans(answers, panelSize, slot - UNINDEXED_SLOTS);
  const span = spans.find(({ whole, ...own }) =>
    undecided.every((row) => isElsewhere(row, panelSize, { span: own, whole })),
  );
  if (span !== undefined)
    return { outcome: "covered", covered: { after: span.after, upTo: span.upTo } };
  const isListed = listed.length > 0 && spans.length === 0;
  return {
    outcome: isListed ? "covered" : listed.length > 0 ? "failed" : outcomeOf(answers),
    covered: null,
  };
}

/**
 * Decides and decodes a transaction. "undecided" also if the cluster executed one that we cannot
 * decode.
 */
function readTransaction(
  row: TransactionRow,
  panelSize: number,
): DecodedTransaction | "nothing" | "undecided" {
  const agreed = decideTransaction(row, panelSize);
  if (typeof agreed === "string") return agreed;
  const transaction = decode(agreed);
  return transaction === null ? "undecided" : { ...agreed, transaction };
}

function decode({ bytes, signature }: AgreedTransaction): Transaction | null {
  try {
    const transaction = decodeTransaction(bytes);
    const [first] = transaction.signatures;
    return first !== undefined && encodeSignature(first) === signature ? transaction : null;
  } catch (error) {
    if (error instanceof TransactionError) return null;
    throw error;
  }
}

function compareByPosition(one: AgreedTransaction, other: AgreedTransaction): number {
  return (
    one.slot - other.slot ||
    (one.index ?? 0) - (other.index ?? 0) ||
    (one.signature < other.signature ? -1 : 1)
  );
}

/**
 * Decides what a majority answers about a transaction.
 * @param size number of witnesses in the panel
 * @returns "nothing": it failed. "undecided": there is no majority
 */
function decideTransaction(
  { signature, answers }: TransactionRow,
  size: number,
): AgreedTransaction | "nothing" | "undecided" {
  const found = answers.flatMap((answer) =>
    answer.state === "ok" ? [{ answer, substance: toSubstance(answer) }] : [],
  );
  const isSameSubstance = (one: { substance: string }, other: { substance: string }) =>
    one.substance === other.substance;
  const alike = findMajority(found, size, isSameSubstance).map(({ answer }) => answer);
  const [first] = alike;
  if (first === undefined) return "undecided";
  if (first.failed) return "nothing";
  return {
    signature,
    slot: first.slot,
    index: findCommon(alike, size, ({ index }) => index),
    blockTime: findCommon(alike, size, ({ blockTime }) => blockTime),
    bytes: Buffer.from(first.bytes, "base64"),
    inner: first.inner,
    loaded: first.loaded,
  };
}

/**
 * Returns what must be the same. Block time and index are left out, because honest nodes may lack
 * them.
 */
function toSubstance({ slot, failed, bytes, inner, loaded }: Answer): string {
  return JSON.stringify([slot, failed, bytes, inner, loaded]);
}

/**
 * Whether a majority answers that a transaction is not in a span. Only witnesses that list the
 * whole span count: another may not have it and be honest.
 * @param whole positions in the panel of the witnesses that list the whole span
 */
function isElsewhere(
  { answers }: TransactionRow,
  size: number,
  { span, whole }: { span: { after: number; upTo: number }; whole: ReadonlySet<number> },
): boolean {
  const denies = (answer: TransactionAnswer) =>
    answer.state === "unknown" ||
    (answer.state === "ok" && (answer.slot <= span.after || answer.slot > span.upTo));
  const denying = answers.filter((answer, position) => whole.has(position) && denies(answer));
  return isMajority(denying.length, size);
}

function findCommon<Value>(
  answers: readonly Answer[],
  size: number,
  pick: (one: Answer) => Value | null,
): Value | null {
  return findMajority(answers.map(pick), size)[0] ?? null;
}
