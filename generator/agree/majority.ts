/**
 * The value that more than half of a panel says.
 * @param said at most one of each witness
 * @param size witnesses of the panel, also those that said nothing
 * @returns null: none
 */
export function findMajority<Value extends string | number>(said: readonly Value[], size: number): Value | null {
  const counts = new Map<Value, number>();
  for (const value of said) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].find(([, count]) => count * 2 > size)?.[0] ?? null;
}
