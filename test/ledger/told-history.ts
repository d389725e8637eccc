import type { HistoryEntry, HistoryPoint } from "../../generator/entries/entry.ts";
import { FIRST_EPOCH, keyOf, SLOTS_IN_EPOCH, timeAt } from "./story.ts";

export interface ToldPoint {
  /** Epochs since the story's first; negative: before. */
  at: number;
  percent?: number;
  mev?: number;
  stake?: bigint;
  rank?: number;
}

/** A public history by name; spans all points, or `from` to `to`. */
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

/** Percents of consecutive epochs, the last just before the story. */
export function percents(...values: number[]): ToldPoint[] {
  return values.map((percent, index) => ({ at: index - values.length, percent }));
}

/** The same for MEV, basis points; null: unset. */
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
