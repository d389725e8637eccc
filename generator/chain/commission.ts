/**
 * A rate in basis points, 0 to 10,000. `exact: false` means that it comes from a rounded percent
 * and is within a point of it.
 */
export interface Commission {
  basisPoints: number;
  exact: boolean;
}

/** The most that the runtime pays, 100 % (SIMD-0291). */
export const MAX_BASIS_POINTS = 10_000;

interface AnsweredRate {
  basisPoints: number | null;
  percent: number | null;
}

/**
 * Converts what a source answers, capped at 10,000 basis points; null: it answers neither. A
 * percent is exact only if `isWhole`, because nodes round it down or up (Agave pull request 11221
 * and later).
 */
export function toCommission(rate: AnsweredRate, options: { isWhole: boolean }): Commission | null {
  if (rate.basisPoints !== null)
    return { basisPoints: Math.min(rate.basisPoints, MAX_BASIS_POINTS), exact: true };
  if (rate.percent === null) return null;
  return { basisPoints: Math.min(rate.percent * 100, MAX_BASIS_POINTS), exact: options.isWhole };
}

/**
 * Converts the rate stored in a vote account; null: not readable. Its percent is exact, because
 * layouts before v4 store whole percents.
 */
export function toStoredCommission(rate: AnsweredRate): Commission | null {
  return toCommission(rate, { isWhole: true });
}

/**
 * Returns null for rates over 10,000 too: no program allows them, and vendors write them for
 * “unknown”.
 */
export function toKnownBasisPoints(basisPoints: number | null): number | null {
  return basisPoints === null || basisPoints > MAX_BASIS_POINTS ? null : basisPoints;
}

/**
 * Whether two rates can be the same. A percent p stands for basis points strictly between 100(p−1)
 * and 100(p+1).
 */
export function agrees(one: Commission, other: Commission): boolean {
  const distance = Math.abs(one.basisPoints - other.basisPoints);
  if (one.exact && other.exact) return distance === 0;
  return distance < (one.exact || other.exact ? 100 : 200);
}
