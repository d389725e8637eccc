import { medianOf } from "../contract/numbers.ts";

/**
 * Finds the slot of the cluster: the median of the witnesses' slots; of two witnesses, the median
 * of theirs and the expected slot, because a slot far ahead is as suspect as one behind.
 * @param expected slot by the measured pace; null: not known
 * @returns null if there are fewer than two slots
 */
export function findClusterSlot(slots: readonly number[], expected: number | null): number | null {
  if (slots.length < 2) return null;
  return medianOf(slots.length === 2 && expected !== null ? [...slots, expected] : slots);
}
