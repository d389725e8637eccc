import type { HistoryEntry, HistoryPoint } from "../../generator/entries/entry.ts";
import { FIRST_EPOCH, SLOTS_IN_EPOCH, timeAt } from "./clock.ts";
import { keyOf } from "./validators.ts";

export interface SampledPoint {
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
  points: Record<string, readonly SampledPoint[]>,
  { from, to }: { from?: number; to?: number } = {},
): HistoryEntry {
  const all = Object.values(points).flatMap((own) => own.map(({ at }) => at));
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
    validators: Object.entries(points).map(([name, own]) => ({
      vote: keyOf(name),
      points: own.map(toPoint),
    })),
  };
}

/** Percents of consecutive epochs, the last just before the story. */
export function percents(...values: number[]): SampledPoint[] {
  return values.map((percent, index) => ({ at: index - values.length, percent }));
}

/** The same for MEV, basis points; null: unset. */
export function mevs(...values: (number | null)[]): SampledPoint[] {
  return values.map((mev, index) => ({ at: index - values.length, ...(mev !== null && { mev }) }));
}

function toPoint({ at, percent, mev, stake, rank }: SampledPoint): HistoryPoint {
  return {
    epoch: FIRST_EPOCH + at,
    percent: percent ?? null,
    mevBasisPoints: mev ?? null,
    activeStake: stake ?? null,
    rank: rank ?? null,
  };
}
