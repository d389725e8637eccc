import type { AgreedCheck, AgreedSnapshot } from "../../agree/agree.ts";
import type { CheckRow } from "../../entries/entry.ts";
import { carryBlockRevenue } from "../rates/block-revenue.ts";
import { getU16, NO_STAKE_RECORDED, NOT_RECORDED, setStake, setU16 } from "../columns.ts";
import { isOfItsEpoch } from "./membership.ts";
import { assignListed, findValidator, type Found, type Step } from "../step.ts";

/**
 * Adds the entry's epoch, or updates when it was last observed. A new epoch begins without moving
 * stake, and drops pending tips of epochs before the last. Call it before the folds that write to
 * the epoch's columns.
 */
export function foldEpoch(step: Step, entry: AgreedCheck | AgreedSnapshot): void {
  const { ledger } = step;
  const newest = ledger.epochs.at(-1);
  const firstSlot = entry.absoluteSlot - entry.slotIndex;
  if (newest?.epoch === entry.epoch) {
    newest.last = step.moment;
    // An earlier observation gave it a wrong first slot.
    if (newest.firstSlot !== firstSlot) moveEpochs(step, firstSlot - newest.firstSlot);
  }
  if ((newest?.epoch ?? -1) >= entry.epoch) return;
  ledger.epochs.push({
    epoch: entry.epoch,
    firstSlot,
    slotsInEpoch: entry.slotsInEpoch,
    first: step.moment,
    last: step.moment,
  });
  step.touched.epochs.add(entry.epoch);
  step.touched.pointsSince = Math.min(step.touched.pointsSince, newest?.epoch ?? entry.epoch);
  for (const [validatorIndex, validator] of ledger.validators.entries()) {
    step.touched.profiles.add(validatorIndex);
    // Each history grows by an epoch; that of a validator that left ends.
    if (validator.listed) step.touched.histories.add(validatorIndex);
    carryBlockRevenue(ledger, entry.epoch, validatorIndex);
    const { pending } = validator.tips;
    for (const epoch of pending.keys()) if (epoch < entry.epoch - 1) pending.delete(epoch);
    assignListed(step, validatorIndex, {
      activatingStake: 0n,
      deactivatingStake: 0n,
      stakeAccountCount: 0,
      stakeAccountsAsOf: null,
    });
  }
}

function moveEpochs({ ledger, touched }: Step, slots: number): void {
  for (const tracked of ledger.epochs) {
    tracked.firstSlot += slots;
    touched.epochs.add(tracked.epoch);
  }
  // Sampled changes are dated by the epoch's first slot.
  for (const validatorIndex of ledger.validators.keys()) {
    touched.events.add(validatorIndex);
    touched.histories.add(validatorIndex);
  }
}

/**
 * Records stakes and ranks. A list whose newest vote is in the previous epoch shows that epoch's
 * stake.
 */
export function foldStakePoints(
  step: Step,
  entry: AgreedCheck | AgreedSnapshot,
  found: readonly Found<CheckRow>[],
): void {
  if (!isOfItsEpoch(entry)) return;
  const { ledger } = step;
  const isRecorded = ({ validatorIndex }: Found<unknown>) =>
    getU16(ledger.ranks, entry.epoch, validatorIndex) !== null;
  if (found.every(isRecorded)) return;
  const inOrder = found.toSorted((a, b) => compareByStake(a.row, b.row));
  for (const [index, one] of inOrder.entries()) {
    const { validatorIndex, row } = one;
    if (isRecorded(one) || row.activeStake >= NO_STAKE_RECORDED) continue;
    setStake(ledger.stakes, entry.epoch, validatorIndex, row.activeStake);
    setU16(
      ledger.ranks,
      entry.epoch,
      validatorIndex,
      Math.min(index + 1, NOT_RECORDED - 1),
      NOT_RECORDED,
    );
    step.touched.histories.add(validatorIndex);
  }
}

/** Orders by stake, highest first, then by vote account, so that every generator ranks alike. */
export function compareByStake(
  a: { activeStake: bigint; vote: string },
  b: { activeStake: bigint; vote: string },
): number {
  if (a.activeStake !== b.activeStake) return a.activeStake > b.activeStake ? -1 : 1;
  return a.vote < b.vote ? -1 : Number(a.vote > b.vote);
}

type Scan = Extract<AgreedSnapshot["stakeAccounts"], { state: "ok" }>["value"];

/** Sets the moving stake of listed validators. A scan also has rows without delegations. */
export function foldStakeAccounts(step: Step, scan: Scan): void {
  if (scan.epoch !== step.moment.epoch) return;
  const stakeAccountsAsOf = scan.asOf;
  for (const [vote, activatingStake, deactivatingStake, stakeAccountCount] of scan.rows) {
    const found = findValidator(step.ledger, vote);
    if (found?.validator.listed !== true) continue;
    assignListed(step, found.validatorIndex, {
      activatingStake,
      deactivatingStake,
      stakeAccountCount,
      stakeAccountsAsOf,
    });
  }
}
