import type { HistoryEntry, HistoryPoint } from "../../generator/entries/entry.ts";
import { FIRST_EPOCH, keyOf, SLOTS_IN_EPOCH, timeAt } from "./story.ts";

export interface ToldPoint {
  /** Epochs since the first one of the story; below zero: before it. */
  at: number;
  percent?: number;
  mev?: number;
  stake?: bigint;
  rank?: number;
}

/** What a public history tells of validators by name. The span is that of all points, or from `from` up to `to`. */
export function history(
  minute: number,
  told: Record<string, ToldPoint[]>,
  { from, to }: { from?: number; to?: number } = {},
): HistoryEntry {
  const all = Object.values(told).flatMap((points) => points.map(({ at }) => at));
  const first = from ?? Math.min(...all);
  const count = (to ?? Math.max(...all)) - first + 1;
  return {
    kind: "history",
    format: 1,
    network: "mainnet",
    time: timeAt(minute),
    source: "https://history.example",
    epochs: Array.from({ length: count }, (_, index) => {
      const epoch = FIRST_EPOCH + first + index;
      return [epoch, epoch * SLOTS_IN_EPOCH];
    }),
    validators: Object.entries(told).map(([name, points]) => ({ vote: keyOf(name), points: points.map(toPoint) })),
  };
}

/** Percents of epochs that follow each other, the last of them just before the story. */
export function percents(...values: number[]): ToldPoint[] {
  return values.map((percent, index) => ({ at: index - values.length, percent }));
}

/** The same of MEV commissions, in basis points; null: not set. */
export function mevs(...values: (number | null)[]): ToldPoint[] {
  return values.map((mev, index) => ({ at: index - values.length, ...(mev !== null && { mev }) }));
}

function toPoint({ at, percent, mev, stake, rank }: ToldPoint): HistoryPoint {
  return {
    epoch: FIRST_EPOCH + at,
    percent: percent ?? null,
    mevBasisPoints: mev ?? null,
    activeStake: stake ?? null,
    rank: rank ?? null,
  };
}
