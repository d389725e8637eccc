import type { ConfirmedBy } from "../contract/event.ts";
import { agrees, isWholePercent, toCommission, toStoredCommission } from "./commission.ts";
import { setU16, NOT_RECORDED } from "./columns.ts";
import type { CheckRow, SoleConfirmEntry } from "../entries/entry.ts";
import { recordInflationEvent } from "./events.ts";
import type { Commission, Moment, Pending, ValidatorRecord } from "./records.ts";
import { doubtMass, dropPending, isSecondReading } from "./pending.ts";
import { assignInflation, findValidator, type Found, type Step } from "./step.ts";
import { touchGapBefore, touchPointsFrom } from "./touched.ts";

/**
 * What the rows of an accepted observation say of inflation commissions.
 * @param rows how many it has, those of unknown validators included
 */
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

/** Answers the change this reading opened, if it did. */
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

/** A percent that can stand for the new value as well as for the old one. */
function isBetween(pending: Pending<Commission>, commission: Commission): boolean {
  return pending.to.exact && !commission.exact && agrees(pending.to, commission);
}

/** A second reading of named vote accounts, from the accounts themselves. */
export function foldInflationConfirm(step: Step, accounts: SoleConfirmEntry["accounts"]): void {
  for (const account of accounts) {
    const found = findValidator(step.ledger, account.vote);
    const commission = toStoredCommission(account);
    if (found === null || commission === null) continue;
    const { ordinal, validator } = found;
    const { pendingInflation: pending } = validator;
    // Read before the old value was last seen, an account tells of an earlier change.
    if (pending === null || step.moment.slot < pending.previous.slot) continue;
    if (agrees(pending.to, commission)) {
      // Of so many at once the observations decide. What they said may be denied here.
      if (pending.mass) continue;
      pending.to = commission;
      confirm(step, ordinal, validator, { pending, shown: pending.first, confirmedBy: "account" });
      // Read before the change was first seen, it may not have it yet: it cannot deny.
    } else if (step.moment.slot >= pending.first.slot) {
      deny(step, ordinal, validator, commission);
    }
  }
}

/** The account holds the old value, or a third one: what was seen was false, or is over, and is no event either way. */
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

/** `shown`: the last observation that showed the new value. */
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
  // The change belongs to the epoch in which it was first seen, though it was confirmed in a later one.
  for (const { epoch } of step.ledger.epochs) {
    if (epoch >= pending.first.epoch)
      setU16(step.ledger.inflation, epoch, ordinal, pending.to.basisPoints, NOT_RECORDED);
  }
  step.touched.commissions.add(ordinal);
  touchPointsFrom(step, pending.first.epoch);
  touchGapBefore(step, ordinal, pending.first.epoch);
}

/** A precise value replaces the percent that stood for it; never the other way round. */
function refine(step: Step, ordinal: number, held: Commission, next: Commission): void {
  if (held.exact || !next.exact) return;
  assignInflation(step, ordinal, next);
  step.touched.commissions.add(ordinal);
}

/** The column of the running epoch always holds the newest known value. */
export function carryForward(step: Step, ordinal: number, validator: ValidatorRecord): void {
  if (validator.inflation === null) return;
  const { inflation, epochs } = step.ledger;
  const epoch = epochs.at(-1)?.epoch ?? step.moment.epoch;
  if (inflation.get(epoch)?.[ordinal] === validator.inflation.basisPoints) return;
  setU16(inflation, epoch, ordinal, validator.inflation.basisPoints, NOT_RECORDED);
  step.touched.commissions.add(ordinal);
  touchPointsFrom(step, epoch);
  touchGapBefore(step, ordinal, epoch);
  // The profile shows what is paid now, which of a new account is what it has announced.
  step.touched.profiles.add(ordinal);
}
