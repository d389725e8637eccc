import { TransactionError } from "../chain/byte-reader.ts";
import { UNINDEXED_SLOTS } from "../chain/slots.ts";
import { decodeTransaction, encodeSignature, type Transaction } from "../chain/transaction.ts";
import type {
  SearchRow,
  TransactionAnswer,
  TransactionRow,
  TransactionsEntry,
} from "../entries/entry.ts";
import { findMajority, majorityOf } from "./majority.ts";
import { findAgreedSpans, findSearchedAt, outcomeOf } from "./searches.ts";

/** What a panel agrees on: the searches for transactions, and the transactions found. */
export interface AgreedTransactions {
  panelSize: number;
  /** By slot and place in the block. */
  transactions: DecodedTransaction[];
  /** Where the cluster was. */
  slot: number;
  searches: AgreedSearch[];
}

export interface DecodedTransaction extends AgreedTransaction {
  transaction: Transaction;
}

export interface AgreedSearch {
  authority: string;
  /** Otherwise why nothing is. */
  outcome: "covered" | "busy" | "refused" | "failed";
  /** Slots in which every transaction is known; `upTo` is inclusive. */
  covered: { after: number; upTo: number } | null;
}

export interface AgreedTransaction {
  signature: string;
  slot: number;
  /** In the block; null: they differ. */
  index: number | null;
  /** Seconds since 1970; null: they differ. */
  blockTime: number | null;
  bytes: Uint8Array;
  inner: Answer["inner"];
  loaded: Answer["loaded"];
}

type Answer = Extract<TransactionAnswer, { state: "ok" }>;

/** @param acceptedSlot of the newest accepted observation */
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

/** A list may lack the newest slots: they are never covered. */
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

/** Undecided if we cannot decode what the cluster executed. */
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
 * @param size witnesses of the panel
 * @returns "nothing": it failed. "undecided": no majority
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

/** Honest nodes may lack block time and position. */
function toSubstance({ slot, failed, bytes, inner, loaded }: Answer): string {
  return JSON.stringify([slot, failed, bytes, inner, loaded]);
}

/**
 * A witness that does not reach as far may be honest without knowing it.
 * @param whole panel positions of those that list the whole span
 */
function isElsewhere(
  { answers }: TransactionRow,
  size: number,
  { span, whole }: { span: { after: number; upTo: number }; whole: ReadonlySet<number> },
): boolean {
  const denies = (answer: TransactionAnswer) =>
    answer.state === "unknown" ||
    (answer.state === "ok" && (answer.slot <= span.after || answer.slot > span.upTo));
  return (
    answers.filter((answer, position) => whole.has(position) && denies(answer)).length >=
    majorityOf(size)
  );
}

function findCommon<Value>(
  answers: readonly Answer[],
  size: number,
  pick: (one: Answer) => Value | null,
): Value | null {
  return findMajority(answers.map(pick), size)[0] ?? null;
}
