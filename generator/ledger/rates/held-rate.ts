import type { Commission } from "../../chain/commission.ts";
import { getU16, NOT_RECORDED, setU16 } from "../columns.ts";
import type { Moment, ValidatorRecord } from "../records.ts";
import { NODES_DIFFER_SLOTS } from "../../chain/slots.ts";
import { assignInflation, type Step } from "../step.ts";
import { touchGapBefore, touchPointsFrom } from "../touched.ts";

/** The rate that documents show. */

/** A first rate on which no majority has agreed; another one later corrects it, and is no event. */
export function assumeRate(
  step: Step,
  validatorIndex: number,
  validator: ValidatorRecord,
  { commission, moment }: { commission: Commission; moment: Moment },
): void {
  assignInflation(step, validatorIndex, commission);
  // Healthy witnesses may be this far apart.
  validator.inflationShown = { ...moment, slot: moment.slot - 2 * NODES_DIFFER_SLOTS - 1 };
  step.touched.commissions.add(validatorIndex);
}

/**
 * @param held.epoch from which on histories show it
 * @param held.floor slots up to this one say nothing of another rate
 */
export function holdRate(
  step: Step,
  validatorIndex: number,
  held: { commission: Commission; epoch: number; floor: number; shown: Moment },
): void {
  const validator = step.ledger.validators[validatorIndex];
  if (validator === undefined) return;
  const { commission, epoch, floor, shown } = held;
  validator.pendingInflation = null;
  validator.inflationSettled = true;
  validator.inflationFloor = floor;
  validator.inflationShown = shown;
  assignInflation(step, validatorIndex, commission);
  for (const tracked of step.ledger.epochs) {
    if (tracked.epoch >= epoch)
      setU16(step.ledger.inflation, tracked.epoch, validatorIndex, commission.basisPoints, NOT_RECORDED);
  }
  step.touched.commissions.add(validatorIndex);
  step.touched.profiles.add(validatorIndex);
  touchPointsFrom(step, epoch);
  touchGapBefore(step, validatorIndex, epoch);
}

/** What was held was never so, and nobody knows what stood before. */
export function forgetRate(
  { ledger, touched, moment }: Step,
  validatorIndex: number,
  validator: ValidatorRecord,
): void {
  validator.inflationKnownFrom = null;
  for (const { epoch } of ledger.epochs)
    if (epoch < moment.epoch && getU16(ledger.inflation, epoch, validatorIndex) !== null)
      setU16(ledger.inflation, epoch, validatorIndex, NOT_RECORDED, NOT_RECORDED);
  touchPointsFrom({ ledger, touched }, validator.firstEpoch);
}

/** An accepted observation says of its epoch what the rate is. */
export function carryForward(step: Step, validatorIndex: number, validator: ValidatorRecord): void {
  if (validator.inflation === null) return;
  const { inflation, epochs } = step.ledger;
  const epoch = epochs.at(-1)?.epoch ?? step.moment.epoch;
  // Accounts may have been read after this epoch ended.
  if (validator.inflationShown.epoch > epoch) return;
  if (inflation.get(epoch)?.[validatorIndex] === validator.inflation.basisPoints) return;
  setU16(inflation, epoch, validatorIndex, validator.inflation.basisPoints, NOT_RECORDED);
  step.touched.commissions.add(validatorIndex);
  touchPointsFrom(step, epoch);
  touchGapBefore(step, validatorIndex, epoch);
  // The profile of a new account shows the announced commission.
  step.touched.profiles.add(validatorIndex);
}
