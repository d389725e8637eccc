import type { Network } from "../contract/networks.ts";
import type { Ledger } from "./ledger.ts";
import type { Commission } from "./records.ts";

/** The runtime pays no more than all of it, whatever is stored (SIMD-0291). */
const MAX_BASIS_POINTS = 10_000;

/** First epoch in which a commission could be set to anything but a whole percent (SIMD-0291), in a cluster's first life. */
const BASIS_POINTS_SINCE: Record<Network, number> = { mainnet: 1003, testnet: 977, alpenglow: 0 };

/** A commission as a source gives it; null: it does not. */
interface Said {
  basisPoints: number | null;
  percent: number | null;
}

/** Whether every commission of an epoch was a whole percent: then a percent is exact, whoever rounds it. */
export function isWholePercent({ network, series }: Pick<Ledger, "network" | "series">, epoch: number): boolean {
  return series === 1 && epoch < BASIS_POINTS_SINCE[network];
}

/**
 * What a source said, basis points before percent; null: it said neither. A percent is inexact, because nodes round the
 * stored basis points down or up (AGAVE pull request 11221 and after), unless it is known to be whole.
 */
export function toCommission(said: Said, options: { isWhole: boolean }): Commission | null {
  if (said.basisPoints !== null) return { basisPoints: Math.min(said.basisPoints, MAX_BASIS_POINTS), exact: true };
  if (said.percent === null) return null;
  return { basisPoints: Math.min(said.percent * 100, MAX_BASIS_POINTS), exact: options.isWhole };
}

/** The same, read from the vote account itself, where a percent is what is stored (layouts before v4) and so exact. */
export function toStoredCommission(said: Said): Commission | null {
  return toCommission(said, { isWhole: true });
}

/**
 * A commission on MEV or priority fees in basis points. No program lets more than the whole be taken: a larger number is how
 * others write that they do not know, and so is null here.
 */
export function toKnownBasisPoints(said: number | null): number | null {
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
