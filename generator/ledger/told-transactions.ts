import type { TransactionAnswer, TransactionRow } from "../entries/entry.ts";
import type { Panel } from "./witnesses.ts";

/** What a majority of the witnesses tell alike of a transaction that succeeded. */
export interface ToldTransaction {
  signature: string;
  slot: number;
  /** Its place in the block; null: not told alike. */
  index: number | null;
  /** Seconds since 1970; null: not told alike. */
  blockTime: number | null;
  bytes: Uint8Array;
  inner: Told["inner"];
  loaded: Told["loaded"];
}

type Told = Extract<TransactionAnswer, { state: "ok" }>;

/**
 * What became of a transaction, as a majority of the panel tell it: nothing of its slot or its success is signed.
 * - "nothing": it failed
 * - "undecided": too few tell of it, or they contradict each other
 */
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

/** What honest nodes say alike: when a block was made, and a place in it, some of them do not know. */
function toSubstance({ slot, failed, bytes, inner, loaded }: Told): string {
  return JSON.stringify([slot, failed, bytes, inner, loaded]);
}

/**
 * Whether one that is undecided was not carried out in a span of slots: a majority say so of those that list all of the span.
 * Who does not reach as far has not heard of it yet, and may be honest.
 * @param whole which of the panel list all of the span, by their places
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
