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

/*
 * Changes of MEV commissions by entries without a panel: the next list confirms what one showed, or one reading of the tip
 * account does.
 */

/** What the tip account of a vote account for an epoch holds. */
type TipReading = SoleConfirmEntry["tips"][number];

/** @param rows how many the list has */
export function foldListedMev(step: Step, told: readonly ListedMev[], rows: number): void {
  const opened = told.flatMap((one) => foldListed(step, one) ?? []);
  doubtMass(opened, rows);
}

/** Answers the change this row opened, if it did. */
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

/** The change is of the epoch of its record: that one's tip account is the second reading. */
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
  const mevBasisPoints = toKnownBasisPoints(tip.mevBasisPoints);
  if (!tip.exists && mayShowPast(validator, tip.epoch)) dropPending(step.ledger, validator, "pendingMev");
  if (!tip.exists || mevBasisPoints === null) return;
  // The rate is fixed when the account is made: the old one or a third one, the list was wrong.
  if (mevBasisPoints !== pending.to) dropPending(step.ledger, validator, "pendingMev");
  // Of so many at once the observations decide.
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

/*
 * The vendor's list is of its newest epoch and of the one before, does not say which, and may lag behind the chain.
 */

/**
 * Whether a row tells of the past: a record older than the one shown or awaited, or another commission than the one that the tip
 * account of the running epoch holds, which is fixed when the account is made; also where only lists have told of it.
 * @param row `epoch`: of the record; null: the source does not say
 */
export function isOutdated(
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
 * Whether another commission that a list shows in this epoch may be that of an epoch before the settled one, and so no change at
 * all. Right after a settled epoch only a tip account tells.
 */
export function mayShowPast({ mevSettledEpoch }: ValidatorRecord, epoch: number): boolean {
  return mevSettledEpoch !== null && epoch <= mevSettledEpoch + 1;
}
