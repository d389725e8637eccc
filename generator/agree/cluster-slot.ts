/**
 * Where the cluster is: the median of the witnesses' slots. Of two, the
 * one closer to where it is expected: far ahead is as suspect as behind.
 * @param expected by the measured pace; null: not known
 * @returns null: of fewer than two
 */
export function findClusterSlot(slots: readonly number[], expected: number | null): number | null {
  if (slots.length < 2) return null;
  const sorted = [...slots, ...(slots.length === 2 && expected !== null ? [expected] : [])].sort(
    (a, b) => a - b,
  );
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}
