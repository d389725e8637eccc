import type { TransactionAnswer, TransactionRow } from "../entries/entry.ts";
import { findMajority, majorityOf } from "./majority.ts";

export interface ToldTransaction {
  signature: string;
  slot: number;
  /** In the block; null: they differ. */
  index: number | null;
  /** Seconds since 1970; null: they differ. */
  blockTime: number | null;
  bytes: Uint8Array;
  inner: Told["inner"];
  loaded: Told["loaded"];
}

type Told = Extract<TransactionAnswer, { state: "ok" }>;

/**
 * @param size witnesses of the panel
 * @returns "nothing": it failed. "undecided": no majority
 */
export function decideTransaction(
  { signature, answers }: TransactionRow,
  size: number,
): ToldTransaction | "nothing" | "undecided" {
  const told = answers.flatMap((answer) => (answer.state === "ok" ? [{ answer, substance: toSubstance(answer) }] : []));
  const isSame = (one: { substance: string }, other: { substance: string }) => one.substance === other.substance;
  const alike = findMajority(told, size, isSame).map(({ answer }) => answer);
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
function toSubstance({ slot, failed, bytes, inner, loaded }: Told): string {
  return JSON.stringify([slot, failed, bytes, inner, loaded]);
}

/**
 * A witness that does not reach as far may be honest without knowing it.
 * @param whole panel positions of those that list the whole span
 */
export function isElsewhere(
  { answers }: TransactionRow,
  size: number,
  { span, whole }: { span: { after: number; upTo: number }; whole: ReadonlySet<number> },
): boolean {
  const denies = (answer: TransactionAnswer) =>
    answer.state === "unknown" || (answer.state === "ok" && (answer.slot <= span.after || answer.slot > span.upTo));
  return answers.filter((answer, place) => whole.has(place) && denies(answer)).length >= majorityOf(size);
}

function findCommon<Value>(told: readonly Told[], size: number, pick: (one: Told) => Value | null): Value | null {
  return findMajority(told.map(pick), size)[0] ?? null;
}
