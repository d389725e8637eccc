import type { ConfirmedBy } from "../contract/event.ts";
import { DISABLED, NOT_RECORDED, setU16 } from "./columns.ts";
import { toShare } from "./commission.ts";
import type { SnapshotEntry, SoleConfirmEntry } from "./entry.ts";
import { recordMevEvent } from "./events.ts";
import { isOutdated, mayShowPast } from "./mev-lag.ts";
import type { MevState, Pending, ValidatorRecord } from "./records.ts";
import { doubtMass, dropPending, isSecondReading } from "./pending.ts";
import { assignListed, findValidator, type Step } from "./step.ts";
import { touchPointsFrom } from "./touch-points.ts";

type RowOf<Name extends "mev" | "tips"> = Extract<SnapshotEntry[Name], { state: "ok" }>["value"]["rows"][number];

/** What the vendor, or the chain in its place, says of one validator now. */
interface LatestRow {
  vote: string;
  /** Of the record; null: of the running epoch or of the one before, the vendor does not say. */
  epoch: number | null;
  mevBasisPoints: number | null;
  priorityFeeBasisPoints: number | null;
  runningBam: boolean | null;
}

/** What the tip account of a vote account for an epoch holds. */
export type TipReading = SoleConfirmEntry["tips"][number];

/** Clients that build blocks with the batch vendor: AgaveBam and FireBAM in the registry of client ids. */
const BATCH_CLIENT_IDS = [6, 12];

/** Who runs the vendor's client, and for which share. Who is not told of is not known to be disabled by that. */
export function foldMev(step: Step, { mev, tips }: Pick<SnapshotEntry, "mev" | "tips">): void {
  const told = mev.state === "ok" ? mev : tips;
  if (told.state === "ok") foldLatest(step, told.value.rows.map(toLatestRow));
  else if (mev.state === "skipped" && mev.off) foldBatchClients(step);
}

/** Whether a validator was seen with a share, and not without one since. */
export function isKnownEnabled({ mev }: ValidatorRecord): boolean {
  return typeof mev === "number";
}

function toLatestRow(row: RowOf<"mev"> | RowOf<"tips">): LatestRow {
  return { epoch: null, runningBam: null, ...row };
}

function foldLatest(step: Step, rows: readonly LatestRow[]): void {
  const byVote = new Map(rows.map((row) => [row.vote, row]));
  const opened: Pending<number>[] = [];
  for (const [ordinal, validator] of step.ledger.validators.entries()) {
    const row = byVote.get(validator.vote);
    const batchVendorEnabled = row?.runningBam ?? runsBatchClient(validator);
    assignListed(step, ordinal, { mevVendorEnabled: row !== undefined, batchVendorEnabled });
    const pending = row === undefined ? null : foldRow(step, ordinal, validator, row);
    if (pending !== null) opened.push(pending);
  }
  doubtMass(opened, rows.length);
}

/** Where nobody can be asked, the client's number alone tells of the batch vendor. */
function foldBatchClients(step: Step): void {
  for (const [ordinal, validator] of step.ledger.validators.entries())
    assignListed(step, ordinal, { batchVendorEnabled: runsBatchClient(validator) });
}

function runsBatchClient({ clientId }: ValidatorRecord): boolean {
  return clientId !== null && BATCH_CLIENT_IDS.includes(clientId);
}

/** Answers the change this row opened, if it did. */
function foldRow(step: Step, ordinal: number, validator: ValidatorRecord, row: LatestRow): Pending<number> | null {
  const priorityFee = toShare(row.priorityFeeBasisPoints);
  if (priorityFee !== null && priorityFee !== validator.priorityFeeBasisPoints) {
    validator.priorityFeeBasisPoints = priorityFee;
    step.touched.profiles.add(ordinal);
  }
  const share = toShare(row.mevBasisPoints);
  if (share === null || isOutdated(step, validator, { share, epoch: row.epoch })) return null;
  const epoch = row.epoch ?? step.moment.epoch;
  const opened = foldValue(step, ordinal, validator, { share, epoch, isDated: row.epoch !== null });
  if (row.epoch !== null && validator.mev === share) validator.mevSettledEpoch = row.epoch;
  if (typeof validator.mev === "number") show(step, ordinal, validator, epoch);
  return opened;
}

function foldValue(
  step: Step,
  ordinal: number,
  validator: ValidatorRecord,
  { share, epoch, isDated }: { share: number; epoch: number; isDated: boolean },
): Pending<number> | null {
  const pending = validator.pendingMev;
  if (validator.mev === null) {
    validator.mev = share;
    return null;
  }
  if (validator.mev === share) {
    dropPending(step.ledger, validator, "pendingMev");
    validator.mevShown = step.moment;
    return null;
  }
  if (pending?.to !== share) return open(step, validator, { share, epoch });
  if (mayShowPast(validator, pending.first.epoch)) {
    if (epoch > pending.first.epoch) return open(step, validator, { share, epoch });
    if (!isDated) return null;
  }
  if (!isSecondReading(step.moment, pending)) return null;
  pending.needed -= 1;
  if (pending.needed <= 0) confirm(step, ordinal, validator, { pending, confirmedBy: "observations" });
  return null;
}

/** The change is of the epoch of its record: that one's tip account is the second reading. */
function open(
  step: Step,
  validator: ValidatorRecord,
  { share, epoch }: { share: number; epoch: number },
): Pending<number> {
  dropPending(step.ledger, validator, "pendingMev");
  const { moment, endpoint } = step;
  const first = { ...moment, epoch };
  const previous = validator.mevShown ?? moment;
  validator.pendingMev = { to: share, first, previous, endpoint, needed: 1, mass: false, testimony: new Map() };
  return validator.pendingMev;
}

/**
 * Tip-distribution accounts on chain decide about a pending MEV change. An absent one decides nothing while its epoch runs,
 * except after a settled epoch: what the list showed is then of the past.
 */
export function foldMevConfirm(step: Step, tips: readonly TipReading[]): void {
  for (const tip of tips) {
    const found = findValidator(step.ledger, tip.vote);
    const pending = found?.validator.pendingMev;
    if (!found || !pending || tip.epoch !== pending.first.epoch) continue;
    foldTip(step, found.ordinal, found.validator, { pending, tip });
  }
}

function foldTip(
  step: Step,
  ordinal: number,
  validator: ValidatorRecord,
  { pending, tip }: { pending: Pending<number>; tip: TipReading },
): void {
  const share = toShare(tip.mevBasisPoints);
  if (!tip.exists && mayShowPast(validator, tip.epoch)) dropPending(step.ledger, validator, "pendingMev");
  if (!tip.exists || share === null) return;
  // The rate is fixed when the account is made: the old one or a third one, the list was wrong.
  if (share !== pending.to) dropPending(step.ledger, validator, "pendingMev");
  // Of so many at once the observations decide.
  else if (!pending.mass) confirm(step, ordinal, validator, { pending, confirmedBy: "account" });
  if (share === validator.mev) validator.mevSettledEpoch = tip.epoch;
}

function confirm(
  step: Step,
  ordinal: number,
  validator: ValidatorRecord,
  { pending, confirmedBy }: { pending: Pending<number>; confirmedBy: ConfirmedBy },
): void {
  const { first, previous, to } = pending;
  recordMevEvent(step, ordinal, { from: validator.mev, to, epoch: first.epoch, first, previous, confirmedBy });
  validator.mev = pending.to;
  validator.pendingMev = null;
  for (const { epoch } of step.ledger.epochs) {
    if (epoch >= first.epoch) setU16(step.ledger.mev, epoch, ordinal, pending.to, NOT_RECORDED);
  }
  show(step, ordinal, validator, Math.max(first.epoch, validator.mevEpoch));
  touchPointsFrom(step, first.epoch);
  step.touched.commissions.add(ordinal);
  step.touched.profiles.add(ordinal);
}

/**
 * The history's value of the running epoch is the one shown. The record of an epoch was read now; unless it awaits a second
 * reading, it is the one that the profile shows.
 */
function show(step: Step, ordinal: number, validator: ValidatorRecord, epoch: number): void {
  recordMev(step, ordinal, step.moment.epoch, validator.mev);
  if (validator.pendingMev !== null) return;
  validator.mevShown = step.moment;
  if (validator.mevEpoch === epoch) return;
  validator.mevEpoch = epoch;
  step.touched.profiles.add(ordinal);
}

/** Writes one epoch's point of the MEV history. */
export function recordMev(step: Step, ordinal: number, epoch: number, state: MevState): void {
  if (state === null) return;
  const value = typeof state === "number" ? state : DISABLED;
  if (step.ledger.mev.get(epoch)?.[ordinal] === value) return;
  setU16(step.ledger.mev, epoch, ordinal, value, NOT_RECORDED);
  touchPointsFrom(step, epoch);
  step.touched.commissions.add(ordinal);
  step.touched.profiles.add(ordinal);
}
