import type { ConfirmedBy } from "../contract/event.ts";
import type { SoleConfirmEntry } from "../entries/entry.ts";
import { NOT_RECORDED, setU16 } from "./columns.ts";
import { toKnownBasisPoints } from "./commission.ts";
import { recordMevEvent } from "./events.ts";
import { type ListedMev, showMev } from "./mev-held.ts";
import { doubtMass, dropPending, isSecondReading } from "./pending.ts";
import type { Pending, ValidatorRecord } from "./records.ts";
import { findValidator, type Step } from "./step.ts";
import { touchPointsFrom } from "./touched.ts";

/* MEV changes without a panel: confirmed by the next list or one tip account reading. */

type TipReading = SoleConfirmEntry["tips"][number];

/** @param rows of the list */
export function foldListedMev(step: Step, told: readonly ListedMev[], rows: number): void {
  const opened = told.flatMap((one) => foldListed(step, one) ?? []);
  doubtMass(opened, rows);
}

/** Returns the change it opened. */
function foldListed(
  step: Step,
  { ordinal, validator, mevBasisPoints, epoch: dated }: ListedMev,
): Pending<number> | null {
  if (isOutdated(step, validator, { mevBasisPoints, epoch: dated })) return null;
  const epoch = dated ?? step.moment.epoch;
  const opened = foldValue(step, ordinal, validator, { mevBasisPoints, epoch, isDated: dated !== null });
  if (dated !== null && validator.mev === mevBasisPoints) validator.mevSettledEpoch = dated;
  if (typeof validator.mev === "number") showMev(step, ordinal, validator, epoch);
  return opened;
}

function foldValue(
  step: Step,
  ordinal: number,
  validator: ValidatorRecord,
  { mevBasisPoints, epoch, isDated }: { mevBasisPoints: number; epoch: number; isDated: boolean },
): Pending<number> | null {
  const pending = validator.pendingMev;
  if (validator.mev === null) {
    validator.mev = mevBasisPoints;
    validator.mevSettled = true;
    return null;
  }
  if (validator.mev === mevBasisPoints) {
    dropPending(step.ledger, validator, "pendingMev");
    validator.mevShown = step.moment;
    return null;
  }
  if (pending?.to !== mevBasisPoints) return open(step, validator, { mevBasisPoints, epoch });
  if (mayShowPast(validator, pending.first.epoch)) {
    if (epoch > pending.first.epoch) return open(step, validator, { mevBasisPoints, epoch });
    if (!isDated) return null;
  }
  if (!isSecondReading(step.moment, pending)) return null;
  pending.needed -= 1;
  if (pending.needed <= 0) confirm(step, ordinal, validator, { pending, confirmedBy: "observations" });
  return null;
}

/** The tip account of the record's epoch is the second reading. */
function open(
  step: Step,
  validator: ValidatorRecord,
  { mevBasisPoints, epoch }: { mevBasisPoints: number; epoch: number },
): Pending<number> {
  dropPending(step.ledger, validator, "pendingMev");
  const { moment, endpoint } = step;
  const first = { ...moment, epoch };
  const previous = validator.mevShown ?? moment;
  validator.pendingMev = {
    to: mevBasisPoints,
    first,
    previous,
    endpoint,
    needed: 1,
    mass: false,
    testimony: new Map(),
  };
  return validator.pendingMev;
}

/**
 * An absent tip account decides nothing while its epoch runs, unless it follows a settled epoch: then the list showed
 * the past.
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
  const mevBasisPoints = toKnownBasisPoints(tip.mevBasisPoints);
  if (!tip.exists && mayShowPast(validator, tip.epoch)) dropPending(step.ledger, validator, "pendingMev");
  if (!tip.exists || mevBasisPoints === null) return;
  // A tip account's rate is fixed: the list was wrong.
  if (mevBasisPoints !== pending.to) dropPending(step.ledger, validator, "pendingMev");
  // In a mass change observations decide.
  else if (!pending.mass) confirm(step, ordinal, validator, { pending, confirmedBy: "account" });
  if (mevBasisPoints === validator.mev) validator.mevSettledEpoch = tip.epoch;
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
  validator.mevChangedEpoch = first.epoch;
  validator.pendingMev = null;
  for (const { epoch } of step.ledger.epochs) {
    if (epoch >= first.epoch) setU16(step.ledger.mev, epoch, ordinal, pending.to, NOT_RECORDED);
  }
  showMev(step, ordinal, validator, Math.max(first.epoch, validator.mevEpoch));
  touchPointsFrom(step, first.epoch);
  step.touched.commissions.add(ordinal);
  step.touched.profiles.add(ordinal);
}

/**
 * Whether a row is of the past: the vendor mixes its newest epoch and the one before, and may lag behind the chain.
 * @param row `epoch`: of the record; null: not given
 */
function isOutdated(
  { moment }: Step,
  { mev, mevEpoch, mevSettledEpoch, mevChangedEpoch, pendingMev }: ValidatorRecord,
  { mevBasisPoints, epoch }: { mevBasisPoints: number; epoch: number | null },
): boolean {
  if (mev === null) return false;
  if (mevChangedEpoch === (epoch ?? moment.epoch) && mevBasisPoints !== mev) return true;
  if (epoch === null) return mevSettledEpoch === moment.epoch && mevBasisPoints !== mev;
  return epoch < (pendingMev?.first.epoch ?? mevEpoch);
}

/**
 * Whether a list may show a commission from before the settled epoch. Right after that one only a tip account decides.
 */
function mayShowPast({ mevSettledEpoch }: ValidatorRecord, epoch: number): boolean {
  return mevSettledEpoch !== null && epoch <= mevSettledEpoch + 1;
}
