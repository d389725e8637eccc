import { medianOf } from "../contract/numbers.ts";
import { NODES_DIFFER_SLOTS, OBSERVED_WITHIN_SLOTS } from "../chain/slots.ts";
import { findReached, liarsMostOf } from "./majority.ts";

/**
 * Keeps the answers at the cluster's slot: none from more than `NODES_DIFFER_SLOTS` before the
 * observation or `OBSERVED_WITHIN_SLOTS` after it, and of three or more those near their median.
 * @param slot slot that the lists of a majority reach
 */
export function keepNear<Answer extends { slot: number }>(
  answers: readonly Answer[],
  slot: number,
): Answer[] {
  const median = medianOf(answers.map((answer) => answer.slot)) ?? slot;
  return answers.filter(
    (answer) =>
      (answers.length < 3 || isNear(answer.slot, median)) &&
      answer.slot >= slot - NODES_DIFFER_SLOTS &&
      answer.slot <= slot + OBSERVED_WITHIN_SLOTS,
  );
}

/** Whether two slots are as near as those of healthy nodes are (`NODES_DIFFER_SLOTS`). */
export function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= NODES_DIFFER_SLOTS;
}

/**
 * The slots of a majority's answers. Where no more than a majority answered, `from` may be after
 * `until`: of two answers at slots 5 and 9, `from` is 9 and `until` is 5.
 */
export interface Span {
  /** The earliest slot at which lying witnesses cannot have invented the fact. */
  from: number;
  /** The latest slot that the answers of a majority reach. */
  until: number;
  /** The slot of the newest answer. */
  latest: number;
}

/**
 * Computes the span of answers that show a fact.
 * @param slots slots of a majority's answers, in any order
 * @param size number of witnesses in the panel; 1 if one of two decides alone
 */
export function spanOf(slots: readonly number[], size: number): Span {
  const sorted = [...slots].sort((a, b) => a - b);
  const latest = sorted.at(-1) ?? 0;
  return {
    from: sorted[liarsMostOf(size)] ?? latest,
    until: findReached(slots, size) ?? latest,
    latest,
  };
}
