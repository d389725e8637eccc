/** `exact: false`: from a percent, within a point of it. */
export interface Commission {
  basisPoints: number;
  exact: boolean;
}

/** The runtime caps what it pays at 100 % (SIMD-0291). */
export const MAX_BASIS_POINTS = 10_000;

interface Said {
  basisPoints: number | null;
  percent: number | null;
}

/** Nodes round a percent down or up (Agave pull request 11221 and later). */
export function toCommission(said: Said, options: { isWhole: boolean }): Commission | null {
  if (said.basisPoints !== null)
    return { basisPoints: Math.min(said.basisPoints, MAX_BASIS_POINTS), exact: true };
  if (said.percent === null) return null;
  return { basisPoints: Math.min(said.percent * 100, MAX_BASIS_POINTS), exact: options.isWhole };
}

/** Layouts before v4 store a whole percent. */
export function toStoredCommission(said: Said): Commission | null {
  return toCommission(said, { isWhole: true });
}

/** No program allows over 10,000: vendors write it for “unknown”. */
export function toKnownBasisPoints(said: number | null): number | null {
  return said === null || said > MAX_BASIS_POINTS ? null : said;
}

/** A percent p stands for basis points strictly between 100(p−1) and 100(p+1). */
export function agrees(one: Commission, other: Commission): boolean {
  const distance = Math.abs(one.basisPoints - other.basisPoints);
  if (one.exact && other.exact) return distance === 0;
  return distance < (one.exact || other.exact ? 100 : 200);
}
