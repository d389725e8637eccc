import type { CommissionEvent } from "../../contract/event.ts";
import { RUG_BASIS_POINTS } from "../../contract/severity.ts";

/** Epochs, both included; `last` is Infinity while nothing takes the rate back. */
export interface Span {
  first: number;
  last: number;
}

/**
 * A change as rewards or tips pay it: from the rate paid before to the rate paid after. Rates in
 * force at the end of no epoch are left out. So 100 → 0 → 100 % within an epoch is no change, and
 * 5 → 100 → 50 % is a rise from 5 to 50 %.
 */
export interface PaidChange {
  /** The event that set `to`. */
  event: CommissionEvent;
  /** Basis points; null: MEV was disabled. */
  from: number | null;
  to: number | null;
  /** Epochs that certainly pay `to`; null: none is certain. */
  surely: Span | null;
  /** Epochs that may pay `to`. */
  possibly: Span;
}

/**
 * Changes of one validator, inflation before MEV, each newest first. Changes that no epoch pays
 * are left out.
 */
export function toPaidChanges(events: readonly CommissionEvent[]): PaidChange[] {
  const single = events.filter(({ replacedBy }) => replacedBy === null);
  const before = new Map(
    single.flatMap((event) => (event.supersededBy === null ? [] : [[event.supersededBy, event]])),
  );
  return (["COMMISSION", "MEV"] as const).flatMap((source) => {
    const paid = single
      .filter((event) => event.source === source && event.supersededBy === null)
      .sort(compareNewest);
    return paid.flatMap((event, index) => toPaidChange(event, { next: paid[index - 1], before }));
  });
}

function toPaidChange(
  event: CommissionEvent,
  {
    next,
    before,
  }: { next: CommissionEvent | undefined; before: ReadonlyMap<string, CommissionEvent> },
): PaidChange[] {
  const [from, to] = [findFirst(event, before).fromCommission, event.toCommission];
  const { surely, possibly } = toSpans(event, next);
  if (possibly.first > possibly.last) return [];
  return [{ event, from: toBasisPoints(from), to: toBasisPoints(to), surely, possibly }];
}

/** The first of the changes within an epoch that `event` ended. */
function findFirst(
  event: CommissionEvent,
  before: ReadonlyMap<string, CommissionEvent>,
): CommissionEvent {
  let first = event;
  // Each event is earlier than the one after it, so the loop ends.
  for (let each = before.get(first.id); each !== undefined; each = before.get(first.id))
    first = each;
  return first;
}

function toSpans(
  event: CommissionEvent,
  next: CommissionEvent | undefined,
): Pick<PaidChange, "surely" | "possibly"> {
  const { epoch, effectiveEpoch: first, effectiveEpochLatest: latest } = event;
  const possibly = { first: first ?? epoch, last: endBefore(next, next?.effectiveEpochLatest) };
  const surely = { first: latest ?? Infinity, last: endBefore(next, next?.effectiveEpoch) };
  return { possibly, surely: latest === null || surely.first > surely.last ? null : surely };
}

function endBefore(next: CommissionEvent | undefined, epoch: number | null | undefined): number {
  return next === undefined ? Infinity : (epoch ?? next.epoch) - 1;
}

/**
 * Sorts newest first. One observation can show MEV disabled in the epoch before and enabled again.
 */
function compareNewest(one: CommissionEvent, other: CommissionEvent): number {
  const slotOf = ({ source, transaction, slot }: CommissionEvent) =>
    source === "MEV" ? 0 : (transaction?.slot ?? slot);
  return slotOf(other) - slotOf(one) || other.epoch - one.epoch;
}

function toBasisPoints(percent: number | null): number | null {
  return percent === null ? null : Math.round(percent * 100);
}

/** Basis points by which a rate rose; 0 unless the change is a rise between two rates. */
export function toRise({ from, to }: PaidChange): number {
  return from === null || to === null ? 0 : Math.max(0, to - from);
}

/** Whether a change is a RUG. MEV enabled at a high rate is not, as no lower rate was announced. */
export function isRug(change: PaidChange): boolean {
  return toRise(change) > 0 && (change.to ?? 0) >= RUG_BASIS_POINTS;
}

/** Whether no epoch up to this one certainly pays the change. */
export function isAhead({ event }: PaidChange, epoch: number): boolean {
  return event.effectiveEpochLatest !== null && event.effectiveEpochLatest > epoch;
}
