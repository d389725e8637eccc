/*
 * The panel: the endpoints of distinct origin that are asked the same questions. What it agrees on
 * is found in agree/.
 */

/** Most witnesses of a panel: the first endpoints of distinct origin. */
export const WITNESSES_MAX = 4;

/** Returns the least number of witnesses that are more than half of a panel. */
export function majorityOf(size: number): number {
  return Math.floor(size / 2) + 1;
}

/**
 * Returns how many witnesses of a panel must answer for any change to be confirmed: a majority; of
 * two, one, which decides while the other does not answer.
 */
export function witnessesNeeded(size: number): number {
  return size === 2 ? 1 : majorityOf(size);
}

/**
 * Says that too few witnesses of a panel answer to confirm any change, and why; null: enough do.
 * @param reasons why each witness does not answer; null: it does
 */
export function describeSilence(reasons: readonly (string | null)[]): string | null {
  const { length: size } = reasons;
  const ofSilent = reasons.filter((reason) => reason !== null);
  if (size === 0 || size - ofSilent.length >= witnessesNeeded(size)) return null;
  const found = `${ofSilent.length} of ${size} witnesses silent`;
  return `${found}, so that no change can be confirmed: ${ofSilent.join("; ")}`;
}
