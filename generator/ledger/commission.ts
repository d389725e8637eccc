import type { Commission } from "./records.ts";

/** The runtime pays no more than all of it, whatever is stored (SIMD-0291). */
const MAX_BASIS_POINTS = 10_000;

/**
 * What a source said, basis points before percent; null: it said neither. A percent is inexact, because nodes round the
 * stored basis points down or up (AGAVE pull request 11221 and after).
 */
export function toCommission(said: { basisPoints: number | null; percent: number | null }): Commission | null {
  if (said.basisPoints !== null) return { basisPoints: Math.min(said.basisPoints, MAX_BASIS_POINTS), exact: true };
  if (said.percent !== null) return { basisPoints: Math.min(said.percent * 100, MAX_BASIS_POINTS), exact: false };
  return null;
}

/** The same, read from the vote account itself, where a percent is what is stored (layouts before v4) and so exact. */
export function toStoredCommission(said: { basisPoints: number | null; percent: number | null }): Commission | null {
  const commission = toCommission(said);
  return commission === null ? null : { ...commission, exact: true };
}

/**
 * A share of MEV or priority fees in basis points. No program lets more than the whole be taken: a larger number is how
 * others write that they do not know, and so is null here.
 */
export function toShare(said: number | null): number | null {
  return said === null || said > MAX_BASIS_POINTS ? null : said;
}

/**
 * Whether two readings can be of one and the same commission. A percent p stands for any basis points strictly between
 * 100(p−1) and 100(p+1), so two percents agree when those spans overlap.
 */
export function agrees(one: Commission, other: Commission): boolean {
  const distance = Math.abs(one.basisPoints - other.basisPoints);
  if (one.exact && other.exact) return distance === 0;
  return distance < (one.exact || other.exact ? 100 : 200);
}
