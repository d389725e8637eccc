import { UNKNOWN_CLIENT } from "../../../generator/contract/clients.ts";
import type { Concentration, Share } from "../../../generator/contract/stats.ts";
import { toPercent, toSharePercent } from "../../format/values.ts";

type List = keyof Concentration["nakamotoCoefficients"];

export interface Dimension {
  by: string;
  list: List;
  one: string;
  many: string;
  isOfPlaces: boolean;
}

export const DIMENSIONS = [
  { by: "country", list: "byCountry", one: "country", many: "countries", isOfPlaces: true },
  {
    by: "data-center",
    list: "byDataCenter",
    one: "data center",
    many: "data centers",
    isOfPlaces: true,
  },
  { by: "city", list: "byCity", one: "city", many: "cities", isOfPlaces: true },
  {
    by: "asn",
    list: "byAsn",
    one: "autonomous system",
    many: "autonomous systems",
    isOfPlaces: true,
  },
  { by: "client", list: "byClient", one: "client", many: "clients", isOfPlaces: false },
  { by: "validator", list: "byValidator", one: "validator", many: "validators", isOfPlaces: false },
] as const satisfies readonly Dimension[];

export function readDimension(by: string | undefined): Dimension {
  return DIMENSIONS.find((dimension) => dimension.by === by) ?? DIMENSIONS[0];
}

type AnyShare = Share | Concentration["byValidator"][number];

export interface Ranked {
  share: AnyShare;
  rank: number;
  /** Four decimals. */
  cumulativePercent: number;
  /** Of the largest share. */
  barPercent: number;
}

const STEPS = 1_000_000n;
/** Stake that stops the network, as the API counts it. */
export const SUPERMINORITY_PERCENT = 33.33;

/** The stake that the shares of a dimension are of, in lamports. */
export function wholeOf({ summary }: Pick<Concentration, "summary">, { isOfPlaces }: Dimension) {
  return BigInt((isOfPlaces ? summary.locatedStake : summary.totalStake).lamports);
}

/**
 * Rounded shares do not add up.
 * @param shares largest first
 * @param total lamports, those in no share too
 */
export function toRanking(shares: readonly AnyShare[], total: bigint): Ranked[] {
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

function sumOf(shares: readonly Share[]): bigint {
  return shares.reduce((sum, share) => sum + lamportsOf(share), 0n);
}

function lamportsOf(share: Share | undefined): bigint {
  return share === undefined ? 0n : BigInt(share.activeStake.lamports);
}

/** Four decimals, half up. */
function divide(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * STEPS * 2n + whole) / (whole * 2n)) / 10_000;
}

/**
 * How much of the stake a dimension does not know; null: it knows all.
 * @param known percent of what its shares are of
 */
export function toUnknownText(
  { one, isOfPlaces }: Pick<Dimension, "one" | "isOfPlaces">,
  known: number,
  { geoCoveragePercent }: Pick<Concentration["summary"], "geoCoveragePercent">,
): string | null {
  const unknown = known < 100 ? toSharePercent(100 - known) : null;
  if (!isOfPlaces || geoCoveragePercent === 100)
    return unknown === null ? null : `The ${one} of the other ${unknown} is not known.`;
  const located = `The located stake is ${toPercent(geoCoveragePercent)} of all stake.`;
  return unknown === null ? located : `${located} The ${one} of ${unknown} of it is not known.`;
}

/**
 * "One data center, autonomous system or client could stop the network." The fewest of all that are
 * known well enough to tell; null: none is.
 */
export function toStopSentence({
  nakamotoCoefficients,
  summary,
  ...lists
}: Pick<Concentration, List | "nakamotoCoefficients" | "summary">): string | null {
  const known = DIMENSIONS.filter((dimension) => {
    const { list } = dimension;
    const largest = lists[list].slice(0, nakamotoCoefficients[list]);
    const isThird = sumOf(largest) * 10_000n >= wholeOf({ summary }, dimension) * 3_333n;
    const isNamed = list !== "byClient" || largest.every(({ name }) => name !== UNKNOWN_CLIENT);
    return largest.length > 0 && isThird && isNamed;
  });
  const fewest = Math.min(...known.map(({ list }) => nakamotoCoefficients[list]));
  const names = known
    .filter(({ list }) => nakamotoCoefficients[list] === fewest)
    .map(({ one, many }) => (fewest === 1 ? one : many));
  const [last, ...others] = names.toReversed();
  if (last === undefined) return null;
  const listed = others.length === 0 ? last : `${others.toReversed().join(", ")} or ${last}`;
  const sentence = `${toWord(fewest)} ${listed} could stop the network.`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

const WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

function toWord(count: number): string {
  return WORDS[count] ?? String(count);
}
