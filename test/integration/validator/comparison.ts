import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { CommissionPoint } from "../../../generator/contract/history.ts";
import { isPaidBy, paidBasisPoints, type Paid } from "./paid.ts";

/** What was paid for an epoch beside what we say of it, in basis points; null: we do not say. */
export interface Comparison {
  validator: string;
  paid: Paid;
  /** `appliedCommission` of the commission history. */
  applied: number | null;
  /** The newest change by then in force by its `effectiveEpoch`. */
  inForce: number | null;
}

/** The part of an event that says from when its rate is paid; a span of epochs where its own epoch is not known. */
type Dated = Pick<CommissionEvent, "source" | "slot" | "fromCommission" | "toCommission" | "effectiveEpoch"> & {
  effectiveEpochLatest?: number | null;
};

/** Compares every epoch that paid anything with what is published of it. */
export function compare(
  validator: string,
  { paid, points, events }: { paid: readonly Paid[]; points: readonly CommissionPoint[]; events: readonly Dated[] },
): Comparison[] {
  const appliedIn = (epoch: number) => points.find((point) => point.epoch === epoch)?.appliedCommission ?? null;
  return paid.map((one) => ({
    validator,
    paid: one,
    applied: toBasisPoints(appliedIn(one.epoch)),
    inForce: toBasisPoints(findRateInForce(events, one.epoch)),
  }));
}

/** Those in which we say something else than was paid. */
export function findWrong(comparisons: readonly Comparison[]): string[] {
  return comparisons
    .filter(({ paid, applied, inForce }) => [applied, inForce].some((told) => told !== null && !isPaidBy(paid, told)))
    .map(toLine);
}

/** A line for each epoch of each validator. */
export function toTable(comparisons: readonly Comparison[]): string {
  return comparisons.map(toLine).join("\n");
}

/** By the events alone; null: there are none, or one of them may or may not be in force already. */
function findRateInForce(events: readonly Dated[], epoch: number): number | null {
  const changes = events
    .filter(({ source }) => source === "COMMISSION")
    .sort((one, other) => one.slot - other.slot)
    .map((event) => ({
      ...event,
      from: event.effectiveEpoch,
      latest: event.effectiveEpochLatest ?? event.effectiveEpoch,
    }));
  if (changes.some(({ from, latest }) => from === null || latest === null || (from <= epoch && epoch < latest)))
    return null;
  const newest = changes.findLast(({ latest }) => (latest ?? Infinity) <= epoch);
  return newest?.toCommission ?? changes[0]?.fromCommission ?? null;
}

function toBasisPoints(percent: number | null): number | null {
  return percent === null ? null : Math.round(percent * 100);
}

function toLine({ validator, paid, applied, inForce }: Comparison): string {
  const tell = (told: number | null) => (told === null ? "not told" : String(told));
  return [
    validator.padEnd(10),
    `epoch ${paid.epoch}`.padEnd(9),
    `paid ${paidBasisPoints(paid)} (${paid.toValidator} + ${paid.toDelegator} lamports)`.padEnd(48),
    `applied ${tell(applied)}`.padEnd(18),
    `by events ${tell(inForce)}`,
  ].join("  ");
}
