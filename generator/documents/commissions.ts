import { DISABLED, getU16, NOT_RECORDED, type Column } from "../ledger/columns.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { payingStateEpoch } from "../ledger/effects.ts";
import type { ValidatorRecord } from "../ledger/records.ts";

// Commissions of a validator in one epoch, in basis points, found without its other epochs: a table of all validators in one
// epoch would else need all of their histories.

/** Longest run of epochs without any record that is filled: beyond it the cluster told of an epoch that cannot be. */
export const FILLED_EPOCHS_MAX = 1000;

/** Basis points; null: not known, or MEV disabled. */
export interface Commissions {
  commissionBasisPoints: number | null;
  mevCommissionBasisPoints: number | null;
  appliedCommissionBasisPoints: number | null;
}

/** The columns of one epoch: where the first says nothing of a validator the next does (points.ts). */
export interface CommissionColumns {
  epoch: number;
  inflation: readonly (Uint16Array | undefined)[];
  mev: readonly (Uint16Array | undefined)[];
}

/** What of a view (view.ts) commissions are found in. */
export interface CommissionView {
  ledger: Ledger;
  /** The newest tracked epoch; null: none yet. */
  latestEpoch: number | null;
  /** The columns of commissions by epoch, ascending. */
  commissionColumns: () => readonly CommissionColumns[];
  /** By ordinal the epochs at whose end nobody knows which of two inflation commissions stood. */
  unsettled: () => ReadonlyMap<number, ReadonlySet<number>>;
}

interface Subject {
  ordinal: number;
  record: ValidatorRecord;
}

/** A validator in an epoch. */
interface ValidatorEpoch {
  ordinal: number;
  epoch: number;
}

/** What the commission history (histories.ts) says of one epoch; null: that epoch is not in it. */
export function findCommissions(view: CommissionView, { ordinal, record }: Subject, epoch: number): Commissions | null {
  const last = lastEpoch(view, record);
  if (!isTold(view, { ordinal, epoch }, last)) return null;
  const announcedAt = (each: number) => {
    const place = { ordinal, epoch: each };
    return isTold(view, place, last) ? announcedBasisPoints(view, place, last) : null;
  };
  const mev = findAtOrBefore(view, "mev", { ordinal, epoch })?.basisPoints ?? null;
  return {
    commissionBasisPoints: findAtOrBefore(view, "inflation", { ordinal, epoch })?.basisPoints ?? null,
    mevCommissionBasisPoints: mev === DISABLED ? null : mev,
    appliedCommissionBasisPoints: appliedBasisPoints(view, { ordinal, epoch, announcedAt }),
  };
}

/**
 * The inflation commission at the end of one epoch in basis points; null: not known then. Of an epoch without a record it is
 * known only if the same was recorded before and after it. What was recorded after `last` counts for nothing.
 */
export function announcedBasisPoints(view: CommissionView, place: ValidatorEpoch, last = Infinity): number | null {
  const before = findAtOrBefore(view, "inflation", place);
  if (before === null || before.epoch === place.epoch) return before?.basisPoints ?? null;
  const after = findAfter(view, place, last);
  return after !== null && after !== before.basisPoints ? null : before.basisPoints;
}

/** What the rewards earned in an epoch pay by all that is recorded, in basis points; null: not known, or nothing is paid. */
export function appliedAt(view: CommissionView, { ordinal, epoch }: ValidatorEpoch): number | null {
  const announcedAt = (each: number) => announcedBasisPoints(view, { ordinal, epoch: each });
  return appliedBasisPoints(view, { ordinal, epoch, announcedAt });
}

/** What the rewards earned in an epoch pay, in basis points; null: not known, or nothing is paid. */
export function appliedBasisPoints(
  view: Pick<CommissionView, "ledger" | "unsettled">,
  {
    ordinal,
    epoch,
    announcedAt,
  }: ValidatorEpoch & {
    /** The inflation commission at the end of an epoch, forward-filled; null: not known then. */
    announcedAt: (epoch: number) => number | null;
  },
): number | null {
  const stateEpoch = payingStateEpoch(view.ledger, { epoch, ordinal });
  if (stateEpoch === null) return null;
  const isUnsettled = view.unsettled().get(ordinal)?.has(stateEpoch) === true;
  return isUnsettled ? null : announcedAt(stateEpoch);
}

/** By ordinal the epochs that ended while a change was being made, and no transaction proves at which commission. */
export function findUnsettled({
  events,
  withdrawn,
  proved,
}: Pick<Ledger, "events" | "withdrawn" | "proved">): ReadonlyMap<number, ReadonlySet<number>> {
  const unsettled = new Map<number, Set<number>>();
  // A ruling takes an event back, not the values on its two sides.
  for (const { ordinal, madeIn } of [...events, ...withdrawn]) {
    const epochs = unsettled.get(ordinal) ?? new Set();
    for (let epoch = madeIn.earliest; epoch < madeIn.latest; epoch += 1)
      if (getU16(proved, epoch, ordinal) === null) epochs.add(epoch);
    if (epochs.size > 0) unsettled.set(ordinal, epochs);
  }
  return unsettled;
}

/** Lays the ledger's columns of commissions side by side, by epoch, ascending. */
export function toCommissionColumns(ledger: Ledger, epochs: readonly number[]): CommissionColumns[] {
  const { proved, inflation, mev, history } = ledger;
  const at = (column: Column<Uint16Array>, epoch: number) => column.get(epoch);
  return epochs.map((epoch) => ({
    epoch,
    inflation: [at(proved, epoch), at(inflation, epoch), at(history.inflation, epoch)],
    mev: [at(mev, epoch), at(history.mev, epoch)],
  }));
}

/** Where the history of a validator ends: one that left pays nobody after it was last seen. */
export function lastEpoch(view: CommissionView, record: ValidatorRecord): number {
  return record.listed ? (view.latestEpoch ?? record.seen.epoch) : record.seen.epoch;
}

/** Whether the history has a point of the epoch: up to where it ends, from the first record on. */
function isTold(view: CommissionView, place: ValidatorEpoch, last: number): boolean {
  if (place.epoch > last) return false;
  const before = [findAtOrBefore(view, "inflation", place), findAtOrBefore(view, "mev", place)];
  return before.some((found) => found !== null && place.epoch - found.epoch <= FILLED_EPOCHS_MAX);
}

function findAtOrBefore(
  view: CommissionView,
  source: "inflation" | "mev",
  { ordinal, epoch }: ValidatorEpoch,
): { epoch: number; basisPoints: number } | null {
  const columns = view.commissionColumns();
  for (let index = countUpTo(columns, epoch) - 1; index >= 0; index -= 1) {
    const of = columns[index];
    const basisPoints = of === undefined ? null : getBasisPoints(of[source], ordinal);
    if (of !== undefined && basisPoints !== null) return { epoch: of.epoch, basisPoints };
  }
  return null;
}

function findAfter(view: CommissionView, { ordinal, epoch }: ValidatorEpoch, last: number): number | null {
  const columns = view.commissionColumns();
  for (let index = countUpTo(columns, epoch); index < columns.length; index += 1) {
    const of = columns[index];
    if (of === undefined || of.epoch > last) return null;
    const basisPoints = getBasisPoints(of.inflation, ordinal);
    if (basisPoints !== null) return basisPoints;
  }
  return null;
}

function getBasisPoints(columns: CommissionColumns["inflation"], ordinal: number): number | null {
  for (const column of columns) {
    const basisPoints = column?.[ordinal] ?? NOT_RECORDED;
    if (basisPoints !== NOT_RECORDED) return basisPoints;
  }
  return null;
}

/** How many of the epochs are not after this one: they ascend, so half of them is looked at each time. */
function countUpTo(columns: readonly CommissionColumns[], epoch: number): number {
  let [low, high] = [0, columns.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((columns[middle]?.epoch ?? Infinity) <= epoch) low = middle + 1;
    else high = middle;
  }
  return low;
}
