/** A variable that differs by more edits may well be another program's. */
const EDITS_MAX = 2;
/** Two edits can turn a short name into any other word. */
const LENGTH_MIN = 8;

/**
 * Returns set variables that nothing reads but that are at most two edits from a known name, with
 * the nearest known name. Sorted by name.
 */
export function findMisspelt(
  names: readonly string[],
  known: readonly string[],
): { name: string; meant: string }[] {
  const unknown = names
    .filter((name) => name.length >= LENGTH_MIN && !known.includes(name))
    .toSorted();
  return unknown.flatMap((name) => {
    const near = known
      .map((meant) => ({ meant, edits: countEdits(name, meant) }))
      .filter(({ edits }) => edits <= EDITS_MAX)
      .toSorted((one, other) => one.edits - other.edits)[0];
    return near === undefined ? [] : [{ name, meant: near.meant }];
  });
}

/** Counts edits (Levenshtein distance); any number over `EDITS_MAX` means too many. */
function countEdits(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > EDITS_MAX) return EDITS_MAX + 1;
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (above[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[to.length] ?? 0;
}
