import type { ConfirmedBy } from "../contract/event.ts";
import { agrees, isWholePercent, toCommission, toStoredCommission } from "./commission.ts";
import { setU16, NOT_RECORDED } from "./columns.ts";
import type { CheckRow, SoleConfirmEntry } from "../entries/entry.ts";
import { recordInflationEvent } from "./events.ts";
import type { Commission, Moment, Pending, ValidatorRecord } from "./records.ts";
import { doubtMass, dropPending, isSecondReading } from "./pending.ts";
import { assignInflation, findValidator, type Found, type Step } from "./step.ts";
import { touchGapBefore, touchPointsFrom } from "./touched.ts";

/** @param rows of the observation, also of unknown validators */
export function foldInflation(step: Step, found: readonly Found<CheckRow>[], rows: number): void {
  const opened: Pending<Commission>[] = [];
  const options = { isWhole: isWholePercent(step.ledger, step.moment.epoch) };
  for (const { row, ordinal, validator } of found) {
    const commission = toCommission(row, options);
    if (commission === null) continue;
    const pending = foldReading(step, ordinal, validator, commission);
    if (pending !== null) opened.push(pending);
    carryForward(step, ordinal, validator);
  }
  doubtMass(opened, rows);
}

function foldReading(
  step: Step,
  ordinal: number,
  validator: ValidatorRecord,
  commission: Commission,
): Pending<Commission> | null {
  const { inflation, pendingInflation: pending } = validator;
  if (inflation === null) {
    assignInflation(step, ordinal, commission);
    validator.inflationSettled = true;
    validator.inflationShown = step.moment;
    step.touched.commissions.add(ordinal);
    return null;
  }
  if (agrees(inflation, commission)) {
    if (pending !== null && (!isSecondReading(step.moment, pending) || isBetween(pending, commission))) return null;
    dropPending(step.ledger, validator, "pendingInflation");
    refine(step, ordinal, inflation, commission);
    validator.inflationShown = step.moment;
    return null;
  }
  if (pending === null || !agrees(pending.to, commission)) return open(step, validator, commission);
  if (commission.exact && !pending.to.exact) pending.to = commission;
  if (!isSecondReading(step.moment, pending)) return null;
  pending.needed -= 1;
  if (pending.needed <= 0)
    confirm(step, ordinal, validator, { pending, shown: step.moment, confirmedBy: "observations" });
  return null;
}

function isBetween(pending: Pending<Commission>, commission: Commission): boolean {
  return pending.to.exact && !commission.exact && agrees(pending.to, commission);
}

export function foldInflationConfirm(step: Step, accounts: SoleConfirmEntry["accounts"]): void {
  for (const account of accounts) {
    const found = findValidator(step.ledger, account.vote);
    const commission = toStoredCommission(account);
    if (found === null || commission === null) continue;
    const { ordinal, validator } = found;
    const { pendingInflation: pending } = validator;
    // From before the old value was last seen.
    if (pending === null || step.moment.slot < pending.previous.slot) continue;
    if (agrees(pending.to, commission)) {
      // Accounts may only deny a mass change.
      if (pending.mass) continue;
      pending.to = commission;
      confirm(step, ordinal, validator, { pending, shown: pending.first, confirmedBy: "account" });
      // From before the change was first seen: cannot deny it.
    } else if (step.moment.slot >= pending.first.slot) {
      deny(step, ordinal, validator, commission);
    }
  }
}

function deny(step: Step, ordinal: number, validator: ValidatorRecord, commission: Commission): void {
  dropPending(step.ledger, validator, "pendingInflation");
  if (validator.inflation === null || !agrees(validator.inflation, commission)) return;
  refine(step, ordinal, validator.inflation, commission);
  carryForward(step, ordinal, validator);
}

function open(step: Step, validator: ValidatorRecord, to: Commission): Pending<Commission> {
  dropPending(step.ledger, validator, "pendingInflation");
  validator.pendingInflation = {
    to,
    first: step.moment,
    previous: validator.inflationShown,
    endpoint: step.endpoint,
    needed: 1,
    mass: false,
    testimony: new Map(),
  };
  return validator.pendingInflation;
}

function confirm(
  step: Step,
  ordinal: number,
  validator: ValidatorRecord,
  { pending, shown, confirmedBy }: { pending: Pending<Commission>; shown: Moment; confirmedBy: ConfirmedBy },
): void {
  const from = validator.inflation?.basisPoints ?? 0;
  recordInflationEvent(step, ordinal, { from, to: pending.to.basisPoints, pending, confirmedBy });
  validator.pendingInflation = null;
  validator.inflationShown = shown;
  assignInflation(step, ordinal, pending.to);
  for (const { epoch } of step.ledger.epochs) {
    if (epoch >= pending.first.epoch)
      setU16(step.ledger.inflation, epoch, ordinal, pending.to.basisPoints, NOT_RECORDED);
  }
  step.touched.commissions.add(ordinal);
  touchPointsFrom(step, pending.first.epoch);
  touchGapBefore(step, ordinal, pending.first.epoch);
}

/** An exact value replaces the percent that stood for it, never the reverse. */
function refine(step: Step, ordinal: number, held: Commission, next: Commission): void {
  if (held.exact || !next.exact) return;
  assignInflation(step, ordinal, next);
  step.touched.commissions.add(ordinal);
}

export function carryForward(step: Step, ordinal: number, validator: ValidatorRecord): void {
  if (validator.inflation === null) return;
  const { inflation, epochs } = step.ledger;
  const epoch = epochs.at(-1)?.epoch ?? step.moment.epoch;
  // Accounts may have been read after this epoch ended.
  if (validator.inflationShown.epoch > epoch) return;
  if (inflation.get(epoch)?.[ordinal] === validator.inflation.basisPoints) return;
  setU16(inflation, epoch, ordinal, validator.inflation.basisPoints, NOT_RECORDED);
  step.touched.commissions.add(ordinal);
  touchPointsFrom(step, epoch);
  touchGapBefore(step, ordinal, epoch);
  // The profile of a new account shows the announced commission.
  step.touched.profiles.add(ordinal);
}
