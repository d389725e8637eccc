import { NODES_DIFFER_SLOTS } from "../chain/slots.ts";
import { liarsMostOf, majorityOf } from "./majority.ts";

/**
 * The answers that are where the cluster is: of three or more those
 * within reach of their median, and none from before the observation.
 * @param slot of the observation
 */
export function keepNear<Answer extends { slot: number }>(
  answers: readonly Answer[],
  slot: number,
): Answer[] {
  const median = medianOf(answers.map((answer) => answer.slot)) ?? slot;
  const isAtMedian = (answer: Answer) => answers.length < 3 || isNear(answer.slot, median);
  return answers.filter((answer) => isAtMedian(answer) && answer.slot >= slot - NODES_DIFFER_SLOTS);
}

/** Whether two slots are as near as those of healthy nodes. */
export function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= NODES_DIFFER_SLOTS;
}

/** The middle one; of an even number the upper of the two. null: of none */
export function medianOf(slots: readonly number[]): number | null {
  return ascending(slots)[Math.floor(slots.length / 2)] ?? null;
}

/**
 * When a majority showed a fact, in slots. Where only
 * just a majority shows it, `from` may be after `until`.
 */
export interface Span {
  /** The earliest that liars cannot have made up. */
  from: number;
  /** The latest by which a majority had shown it. */
  until: number;
  /** The newest. */
  latest: number;
}

/**
 * @param slots of a majority's answers, in any order
 * @param size witnesses of the panel; 1 where one of two is alone
 */
export function spanOf(slots: readonly number[], size: number): Span {
  const sorted = ascending(slots);
  const latest = sorted.at(-1) ?? 0;
  return {
    from: sorted[liarsMostOf(size)] ?? latest,
    until: sorted.at(-majorityOf(size)) ?? latest,
    latest,
  };
}

function ascending(slots: readonly number[]): number[] {
  return [...slots].sort((a, b) => a - b);
}
