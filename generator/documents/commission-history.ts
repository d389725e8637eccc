import type { CommissionPoint } from "../contract/history.ts";
import { listOfValidator } from "../contract/lists.ts";
import type { DocumentOf } from "../contract/objects.ts";
import { DISABLED } from "../ledger/columns.ts";
import { commissionPoint } from "../ledger/points.ts";
import type { ValidatorRecord } from "../ledger/records.ts";
import { appliedBasisPoints } from "./applied.ts";
import { toPercentOrNull } from "../contract/numbers.ts";
import { findRecord, type View } from "./view.ts";

/** Longest run of epochs without any record that is filled: beyond it the cluster told of an epoch that cannot be. */
export const FILLED_EPOCHS_MAX = 1000;

/** Commissions of one epoch in basis points; null: nothing recorded up to then, or MEV disabled. */
interface Announced {
  inflation: number | null;
  mev: number | null;
}

/** The commissions of a validator by epoch, oldest first (endpoint 4); null: no such vote account was ever seen. */
export function renderCommissionHistory(view: View, votePubkey: string): DocumentOf<"commissionHistory"> | null {
  const found = findRecord(view, votePubkey);
  if (found === null) return null;
  const announced = fillForward(view, found.ordinal, found.record);
  const unseen = differingGaps(view, found.ordinal, announced);
  const announcedAt = (epoch: number) => (unseen.has(epoch) ? null : (announced.get(epoch)?.inflation ?? null));
  const data = [...announced].map(([epoch, { inflation, mev }]): CommissionPoint => ({
    epoch,
    commission: toPercentOrNull(inflation),
    mevCommission: toPercentOrNull(mev),
    appliedCommission: toPercentOrNull(appliedBasisPoints(view, { ordinal: found.ordinal, epoch, announcedAt })),
  }));
  return listOfValidator({ network: view.ledger.network, votePubkey }, data);
}

/**
 * The inflation commission at the end of one epoch in basis points; null: not known then. Of an epoch without a record it is
 * known only if the same was recorded before and after it.
 */
export function announcedBasisPoints(view: View, ordinal: number, epoch: number): number | null {
  const announcedIn = (each: number) => commissionPoint(view.ledger, "inflation", { epoch: each, ordinal });
  const isRecorded = (each: number) => announcedIn(each) !== null;
  const before = view.commissionEpochs().findLast((each) => each <= epoch && isRecorded(each));
  if (before === undefined || before === epoch) return announcedIn(epoch);
  const after = view.commissionEpochs().find((each) => each > epoch && isRecorded(each));
  return after !== undefined && announcedIn(after) !== announcedIn(before) ? null : announcedIn(before);
}

/** Every epoch from the first recorded one on, ascending; what was not recorded in an epoch stays as it was before. */
function fillForward(view: View, ordinal: number, record: ValidatorRecord): Map<number, Announced> {
  const filled = new Map<number, Announced>();
  let held: Announced = { inflation: null, mev: null };
  for (const epoch of epochsToFill(view, ordinal, record)) {
    const inflation = commissionPoint(view.ledger, "inflation", { epoch, ordinal }) ?? held.inflation;
    const mev = commissionPoint(view.ledger, "mev", { epoch, ordinal }) ?? held.mev;
    held = { inflation, mev: mev === DISABLED ? null : mev };
    filled.set(epoch, held);
  }
  return filled;
}

/** The epochs without a record between two that tell different inflation commissions: which one stood then nobody saw. */
function differingGaps(view: View, ordinal: number, announced: ReadonlyMap<number, Announced>): Set<number> {
  const gaps = new Set<number>();
  let after: number | null = null;
  for (const [epoch, { inflation }] of [...announced].reverse()) {
    const recorded = commissionPoint(view.ledger, "inflation", { epoch, ordinal });
    after = recorded ?? after;
    if (recorded === null && after !== null && after !== inflation) gaps.add(epoch);
  }
  return gaps;
}

function epochsToFill(view: View, ordinal: number, record: ValidatorRecord): number[] {
  const isRecorded = (epoch: number) =>
    (["inflation", "mev"] as const).some((source) => commissionPoint(view.ledger, source, { epoch, ordinal }) !== null);
  const recorded = view.commissionEpochs().filter(isRecorded);
  const [first] = recorded;
  const last = lastEpoch(view, record);
  if (first === undefined || last < first) return [];
  const known = [...recorded.filter((epoch) => epoch < last), last];
  return known.flatMap((epoch, index) => fromAfter(known[index - 1] ?? epoch - 1, epoch));
}

/** The epochs after one and up to another; that one alone where too many lie between. */
function fromAfter(before: number, epoch: number): number[] {
  const between = epoch - before;
  return between > FILLED_EPOCHS_MAX ? [epoch] : Array.from({ length: between }, (_, index) => before + 1 + index);
}

/** A validator that left pays nobody any more: its history ends where it was last seen. */
export function lastEpoch(view: View, record: ValidatorRecord): number {
  return record.listed ? (view.latestEpoch ?? record.seen.epoch) : record.seen.epoch;
}
