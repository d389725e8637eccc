import { DISABLED, NOT_RECORDED } from "../ledger/columns.ts";
import type { ValidatorRecord } from "../ledger/records.ts";
import { appliedBasisPoints } from "./applied.ts";
import type { CommissionColumns } from "./commission-columns.ts";
import { FILLED_EPOCHS_MAX, lastEpoch } from "./commission-history.ts";
import type { View } from "./view.ts";

/** Commissions of one epoch in basis points; null: not known, or MEV disabled. */
export interface Commissions {
  inflation: number | null;
  mev: number | null;
  applied: number | null;
}

interface Subject {
  ordinal: number;
  record: ValidatorRecord;
}

/**
 * What the commission history (commission-history.ts) says of one epoch; null: that epoch is not in it. The same without
 * the other epochs: a table of all validators in one epoch would else need all of their histories.
 */
export function findCommissions(view: View, subject: Subject, epoch: number): Commissions | null {
  if (!isTold(view, subject, epoch)) return null;
  const mev = findAtOrBefore(view, "mev", { ...subject, epoch })?.value ?? null;
  return {
    inflation: findAtOrBefore(view, "inflation", { ...subject, epoch })?.value ?? null,
    mev: mev === DISABLED ? null : mev,
    applied: appliedBasisPoints(view, {
      ordinal: subject.ordinal,
      epoch,
      announcedAt: (each) => announcedAt(view, subject, each),
    }),
  };
}

/** Whether the history has a point of the epoch: up to where it ends, from the first record on. */
function isTold(view: View, subject: Subject, epoch: number): boolean {
  if (epoch > lastEpoch(view, subject.record)) return false;
  const at = { ...subject, epoch };
  const before = [findAtOrBefore(view, "inflation", at), findAtOrBefore(view, "mev", at)];
  return before.some((found) => found !== null && epoch - found.epoch <= FILLED_EPOCHS_MAX);
}

/** The inflation commission at the end of an epoch; null: before the first record, or between two that differ. */
function announcedAt(view: View, subject: Subject, epoch: number): number | null {
  if (!isTold(view, subject, epoch)) return null;
  const before = findAtOrBefore(view, "inflation", { ...subject, epoch });
  if (before === null || before.epoch === epoch) return before?.value ?? null;
  const after = findAfter(view, subject, epoch);
  return after !== null && after !== before.value ? null : before.value;
}

interface Place {
  ordinal: number;
  epoch: number;
}

function findAtOrBefore(
  view: View,
  source: "inflation" | "mev",
  { ordinal, epoch }: Place,
): { epoch: number; value: number } | null {
  const columns = view.commissionColumns();
  for (let index = countUpTo(columns, epoch) - 1; index >= 0; index -= 1) {
    const of = columns[index];
    const value = of === undefined ? null : getValue(of[source], ordinal);
    if (of !== undefined && value !== null) return { epoch: of.epoch, value };
  }
  return null;
}

function findAfter(view: View, { ordinal, record }: Subject, epoch: number): number | null {
  const columns = view.commissionColumns();
  const last = lastEpoch(view, record);
  for (let index = countUpTo(columns, epoch); index < columns.length; index += 1) {
    const of = columns[index];
    if (of === undefined || of.epoch > last) return null;
    const value = getValue(of.inflation, ordinal);
    if (value !== null) return value;
  }
  return null;
}

function getValue(columns: CommissionColumns["inflation"], ordinal: number): number | null {
  for (const column of columns) {
    const value = column?.[ordinal] ?? NOT_RECORDED;
    if (value !== NOT_RECORDED) return value;
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
