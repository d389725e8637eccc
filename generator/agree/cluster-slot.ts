/**
 * Where the cluster is: the median of what witnesses say. Of two, the one closer to where it is expected: far ahead is
 * as suspect as behind.
 * @param expected by the measured pace; null: not known
 * @returns null: of fewer than two
 */
export function findClusterSlot(slots: readonly number[], expected: number | null): number | null {
  if (slots.length < 2) return null;
  const said = [...slots, ...(slots.length === 2 && expected !== null ? [expected] : [])].sort((a, b) => a - b);
  return said[Math.floor(said.length / 2)] ?? null;
}
