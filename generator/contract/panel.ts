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
