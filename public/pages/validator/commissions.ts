import type { CommissionEvent, Severity, Source } from "../../../generator/contract/event.ts";
import type { CommissionPoint } from "../../../generator/contract/history.ts";

type Change = Pick<CommissionEvent, "source" | "severity" | "epoch" | "fromCommission" | "toCommission">;

/** What marks one epoch of a chart: its events of one source, the newest last, and where the mark is drawn. */
export interface EpochMark<Event extends Change = CommissionEvent> {
  epoch: number;
  /** Of the worst of them. */
  severity: Severity;
  /** In percent: what the worst of them led to, or came from where that is not known. null: neither is. */
  at: number | null;
  events: readonly Event[];
}

const WORST_FIRST = ["RUG", "CAUTION", "INFO"] as const satisfies readonly Severity[];

/** The epochs with events of a source, ascending. An epoch with several has one mark, for the worst. */
export function toMarks<Event extends Change>(newestFirst: readonly Event[], source: Source): EpochMark<Event>[] {
  const byEpoch = Map.groupBy(
    newestFirst.filter((event) => event.source === source),
    ({ epoch }) => epoch,
  );
  return [...byEpoch]
    .map(([epoch, events]) => {
      const severity = WORST_FIRST.find((name) => events.some((event) => event.severity === name)) ?? "INFO";
      const worst = events.find((event) => event.severity === severity);
      return { epoch, severity, at: worst?.toCommission ?? worst?.fromCommission ?? null, events: events.toReversed() };
    })
    .sort((one, other) => one.epoch - other.epoch);
}

/** A rate that is announced but not yet paid. */
export interface Upcoming {
  /** First epoch that pays it, or the first and the last of those of which it is one. */
  effectiveEpoch: number;
  effectiveEpochLatest: number;
  /** In percent; null: not known. */
  commission: number | null;
}

/** The inflation commissions that later epochs will pay by what was announced so far, soonest first. */
export function toUpcoming(
  newestFirst: readonly Pick<
    CommissionEvent,
    "source" | "effectiveEpoch" | "effectiveEpochLatest" | "supersededBy" | "toCommission"
  >[],
  runningEpoch: number,
): Upcoming[] {
  const byEpochs = new Map<string, Upcoming>();
  for (const { source, effectiveEpoch, effectiveEpochLatest, supersededBy, toCommission } of newestFirst) {
    if (source !== "COMMISSION" || supersededBy !== null) continue;
    if (effectiveEpoch === null || effectiveEpochLatest === null || effectiveEpochLatest <= runningEpoch) continue;
    // Of several changes that the same epoch would be the first to pay only the last one comes to it.
    const epochs = `${effectiveEpoch} ${effectiveEpochLatest}`;
    if (!byEpochs.has(epochs)) byEpochs.set(epochs, { effectiveEpoch, effectiveEpochLatest, commission: toCommission });
  }
  return [...byEpochs.values()].sort(
    (one, other) => one.effectiveEpoch - other.effectiveEpoch || one.effectiveEpochLatest - other.effectiveEpochLatest,
  );
}

/** In how many epochs both rates are known, and in how many of these what was paid is not what was announced. */
export function countDiffering(points: readonly Pick<CommissionPoint, "commission" | "appliedCommission">[]): {
  known: number;
  differing: number;
} {
  const known = points.filter(({ commission, appliedCommission }) => commission !== null && appliedCommission !== null);
  return {
    known: known.length,
    differing: known.filter((point) => point.commission !== point.appliedCommission).length,
  };
}

/**
 * The epochs in which the inflation commission changed more than once. Who raises it just before an epoch ends and lowers it
 * just after is paid the high rate, and shows the low one nearly all the time.
 */
export function countRestless(events: readonly Pick<CommissionEvent, "source" | "epoch">[]): number {
  const byEpoch = Map.groupBy(
    events.filter(({ source }) => source === "COMMISSION"),
    ({ epoch }) => epoch,
  );
  return [...byEpoch.values()].filter((of) => of.length > 1).length;
}

/** The least and the most of what is known; null: nothing is. */
export function toSpan(values: readonly (number | null)[]): { least: number; most: number } | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : { least: Math.min(...known), most: Math.max(...known) };
}
