import type { TransactionAnswer, TransactionRow } from "../entries/entry.ts";
import type { Panel } from "./witnesses.ts";

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

/** "nothing": it failed. "undecided": no majority. */
export function decideTransaction(
  { signature, answers }: TransactionRow,
  { majority }: Panel,
): ToldTransaction | "nothing" | "undecided" {
  const told = answers.filter((answer) => answer.state === "ok");
  const [alike = []] = [...Map.groupBy(told, toSubstance).values()].filter((one) => one.length >= majority);
  const [first] = alike;
  if (first === undefined) return "undecided";
  if (first.failed) return "nothing";
  return {
    signature,
    slot: first.slot,
    index: findCommon(alike, majority, ({ index }) => index),
    blockTime: findCommon(alike, majority, ({ blockTime }) => blockTime),
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
  { majority }: Panel,
  { span, whole }: { span: { after: number; upTo: number }; whole: ReadonlySet<number> },
): boolean {
  const denies = (answer: TransactionAnswer) =>
    answer.state === "unknown" || (answer.state === "ok" && (answer.slot <= span.after || answer.slot > span.upTo));
  return answers.filter((answer, place) => whole.has(place) && denies(answer)).length >= majority;
}

function findCommon<Value>(told: readonly Told[], majority: number, pick: (one: Told) => Value | null): Value | null {
  const values = told.map(pick);
  return values.find((value) => values.filter((one) => one === value).length >= majority) ?? null;
}
