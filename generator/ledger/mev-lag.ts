import type { ValidatorRecord } from "./records.ts";
import type { Step } from "./step.ts";

/*
 * The vendor's list is of its newest epoch and of the one before, does not say which, and may lag behind the chain.
 */

/**
 * Whether a row tells of the past: a record older than the one shown or awaited, or another share than the one that the tip
 * account of the running epoch holds, which is fixed when the account is made; also where only lists have told of it.
 * @param row `epoch`: of the record; null: the source does not say
 */
export function isOutdated(
  { moment }: Step,
  { mev, mevEpoch, mevSettledEpoch, mevChangedEpoch, pendingMev }: ValidatorRecord,
  { share, epoch }: { share: number; epoch: number | null },
): boolean {
  if (mev === null) return false;
  if (mevChangedEpoch === (epoch ?? moment.epoch) && share !== mev) return true;
  if (epoch === null) return mevSettledEpoch === moment.epoch && share !== mev;
  return epoch < (pendingMev?.first.epoch ?? mevEpoch);
}

/**
 * Whether another share that a list shows in this epoch may be that of an epoch before the settled one, and so no change at
 * all. Right after a settled epoch only a tip account tells.
 */
export function mayShowPast({ mevSettledEpoch }: ValidatorRecord, epoch: number): boolean {
  return mevSettledEpoch !== null && epoch <= mevSettledEpoch + 1;
}
