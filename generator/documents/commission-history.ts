import type { CommissionPoint } from "../contract/history.ts";
import type { DocumentOf } from "../contract/objects.ts";
import { type Column, DISABLED, getU16 } from "../ledger/columns.ts";
import type { ValidatorRecord } from "../ledger/ledger.ts";
import { appliedBasisPoints } from "./applied.ts";
import { toPercentOrNull } from "./numbers.ts";
import { findRecord, type View } from "./view.ts";

/** Commissions of one epoch in basis points; null: nothing recorded up to then, or MEV disabled. */
interface Announced {
  inflation: number | null;
  mev: number | null;
}

/** The commissions of a validator by epoch, oldest first (endpoint 4); null: no such vote account was ever seen. */
export function renderCommissionHistory(view: View, votePubkey: string): DocumentOf<"commissionHistory"> | null {
  const found = findRecord(view, votePubkey);
  if (found === null) return null;
  const { network } = view.ledger;
  const announced = fillForward(view, found.ordinal, found.record);
  const announcedAt = (epoch: number) => announced.get(epoch)?.inflation ?? null;
  const data = [...announced].map(([epoch, { inflation, mev }]): CommissionPoint => ({
    epoch,
    commission: toPercentOrNull(inflation),
    mevCommission: toPercentOrNull(mev),
    appliedCommission: toPercentOrNull(appliedBasisPoints({ network, record: found.record, announcedAt, epoch })),
  }));
  return { data, meta: { network, total: data.length, votePubkey } };
}

/** The inflation commission at the end of one epoch in basis points, forward-filled; null: not known then. */
export function announcedBasisPoints(view: View, ordinal: number, epoch: number): number | null {
  const { inflation } = view.ledger;
  const recorded = view
    .commissionEpochs()
    .findLast((each) => each <= epoch && getU16(inflation, each, ordinal) !== null);
  return recorded === undefined ? null : getU16(inflation, recorded, ordinal);
}

/** Every epoch from the first recorded one on, ascending; what was not recorded in an epoch stays as it was before. */
function fillForward(view: View, ordinal: number, record: ValidatorRecord): Map<number, Announced> {
  const { inflation, mev } = view.ledger;
  const filled = new Map<number, Announced>();
  const isRecorded = (column: Column<Uint16Array>, epoch: number) => getU16(column, epoch, ordinal) !== null;
  const first = view.commissionEpochs().find((epoch) => isRecorded(inflation, epoch) || isRecorded(mev, epoch));
  if (first === undefined) return filled;
  const last = lastEpoch(view, record);
  let held: Announced = { inflation: null, mev: null };
  for (let epoch = first; epoch <= last; epoch += 1) {
    const mevNow = getU16(mev, epoch, ordinal) ?? held.mev;
    held = { inflation: getU16(inflation, epoch, ordinal) ?? held.inflation, mev: mevNow === DISABLED ? null : mevNow };
    filled.set(epoch, held);
  }
  return filled;
}

/** A validator that left pays nobody any more: its history ends where it was last seen. */
function lastEpoch(view: View, record: ValidatorRecord): number {
  return record.listed ? (view.latestEpoch ?? record.seen.epoch) : record.seen.epoch;
}
