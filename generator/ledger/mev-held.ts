import { DISABLED, NOT_RECORDED, setU16 } from "./columns.ts";
import type { MevState, ValidatorRecord } from "./records.ts";
import type { Step } from "./step.ts";
import { touchPointsFrom } from "./touched.ts";

/* The MEV commission that documents show, and since which epoch it is settled. */

/** Basis points. */
export interface ListedMev {
  ordinal: number;
  validator: ValidatorRecord;
  mevBasisPoints: number;
  /** Of the record; null: the running epoch or the one before. */
  epoch: number | null;
}

/** Whether it was last seen with a commission. */
export function isKnownEnabled({ mev }: ValidatorRecord): boolean {
  return typeof mev === "number";
}

/** In the running epoch's history, and in the profile unless a change is pending. */
export function showMev(step: Step, ordinal: number, validator: ValidatorRecord, epoch: number): void {
  recordMev(step, ordinal, step.moment.epoch, validator.mev);
  if (validator.pendingMev !== null) return;
  validator.mevShown = step.moment;
  if (validator.mevEpoch === epoch) return;
  validator.mevEpoch = epoch;
  step.touched.profiles.add(ordinal);
}

/** Takes over a tip account's fixed commission; readings of earlier epochs no longer count. */
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

/** Marks the held value as final for the epoch. */
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
