import type { Concentration, Share } from "../../../generator/contract/stats.ts";

type List = keyof Concentration["nakamotoCoefficients"];

/** One way of asking who holds the stake. */
export interface Dimension {
  /** In the address. */
  by: string;
  /** In the document. */
  list: List;
  one: string;
  many: string;
  /** Its shares are of the located stake, not of all: who is not located may be anywhere. */
  isOfPlaces: boolean;
}

/** In the order of the page; the first is the default. */
export const DIMENSIONS = [
  { by: "country", list: "byCountry", one: "country", many: "countries", isOfPlaces: true },
  { by: "data-center", list: "byDataCenter", one: "data centre", many: "data centres", isOfPlaces: true },
  { by: "city", list: "byCity", one: "city", many: "cities", isOfPlaces: true },
  { by: "asn", list: "byAsn", one: "autonomous system", many: "autonomous systems", isOfPlaces: true },
  { by: "client", list: "byClient", one: "client", many: "clients", isOfPlaces: false },
  { by: "validator", list: "byValidator", one: "validator", many: "validators", isOfPlaces: false },
] as const satisfies readonly Dimension[];

/** The dimension that an address names, or else the first. */
export function readDimension(by: string | undefined): Dimension {
  return DIMENSIONS.find((dimension) => dimension.by === by) ?? DIMENSIONS[0];
}

/** One row of a ranking. */
export interface Ranked {
  share: Share;
  rank: number;
  /** Of the list's stake, with all before it, percent to four decimals, as documents have shares. */
  cumulativePercent: number;
  /** Length of its bar, percent of the first one's. */
  barPercent: number;
}

/** Steps of a percentage of four decimals: 100 % is a million. */
const STEPS = 1_000_000n;

/**
 * Shares with what they come to, one after the other. Sums are of lamports by bigint: shares that are rounded do not add up.
 *
 * @param shares largest first, as documents have them
 */
export function toRanking(shares: readonly Share[]): Ranked[] {
  const total = sumOf(shares);
  const largest = lamportsOf(shares[0]);
  let sum = 0n;
  return shares.map((share, index) => {
    sum += lamportsOf(share);
    return {
      share,
      rank: index + 1,
      cumulativePercent: divide(sum, total),
      barPercent: divide(lamportsOf(share), largest),
    };
  });
}

/** What of one amount of lamports is not in the other, as digits again. */
export function subtract(lamports: string, part: string): string {
  return (BigInt(lamports) - BigInt(part)).toString();
}

function sumOf(shares: readonly Share[]): bigint {
  return shares.reduce((sum, share) => sum + lamportsOf(share), 0n);
}

function lamportsOf(share: Share | undefined): bigint {
  return share === undefined ? 0n : BigInt(share.activeStake.lamports);
}

/** Percent of a whole, four decimals, half up. */
function divide(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * STEPS * 2n + whole) / (whole * 2n)) / 10_000;
}
