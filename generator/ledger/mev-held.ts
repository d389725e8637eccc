import { DISABLED, NOT_RECORDED, setU16 } from "./columns.ts";
import type { MevState, ValidatorRecord } from "./records.ts";
import type { Step } from "./step.ts";
import { touchPointsFrom } from "./touched.ts";

/*
 * The MEV commission that is held of a validator: what documents show of it, and since which epoch it is settled.
 */

/** A commission that a list shows of a validator, in basis points. */
export interface ListedMev {
  ordinal: number;
  validator: ValidatorRecord;
  mevBasisPoints: number;
  /** Of the record; null: of the running epoch or of the one before, the list does not say. */
  epoch: number | null;
}

/** Whether a validator was seen with a commission, and not without one since. */
export function isKnownEnabled({ mev }: ValidatorRecord): boolean {
  return typeof mev === "number";
}

/**
 * The history's value of the running epoch is the one shown. The record of an epoch was read now; unless it awaits a second
 * reading, it is the one that the profile shows.
 */
export function showMev(step: Step, ordinal: number, validator: ValidatorRecord, epoch: number): void {
  recordMev(step, ordinal, step.moment.epoch, validator.mev);
  if (validator.pendingMev !== null) return;
  validator.mevShown = step.moment;
  if (validator.mevEpoch === epoch) return;
  validator.mevEpoch = epoch;
  step.touched.profiles.add(ordinal);
}

/** Holds the commission of a tip account, which is fixed: from its epoch on, and no word about an earlier one counts any more. */
export function holdMev(
  step: Step,
  ordinal: number,
  validator: ValidatorRecord,
  { mevBasisPoints, epoch }: { mevBasisPoints: number; epoch: number },
): void {
  settleMev(validator, epoch);
  if (validator.mev === mevBasisPoints) return;
  validator.mev = mevBasisPoints;
  validator.mevShown = step.moment;
  for (const tracked of step.ledger.epochs)
    if (tracked.epoch >= epoch) recordMev(step, ordinal, tracked.epoch, mevBasisPoints);
  validator.mevEpoch = Math.max(validator.mevEpoch, epoch);
  step.touched.profiles.add(ordinal);
}

/** What is held is what the epoch had, for good. */
export function settleMev(validator: ValidatorRecord, epoch: number): void {
  validator.mevSettled = true;
  validator.mevSettledEpoch = epoch;
  for (const heard of validator.tipWords.keys()) if (heard <= epoch) validator.tipWords.delete(heard);
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
