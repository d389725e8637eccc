import { agrees, toCommission, toStoredCommission } from "./commission.ts";
import { setU16, NOT_RECORDED } from "./columns.ts";
import type { CheckRow, ConfirmEntry } from "./entry.ts";
import { recordInflationEvent } from "./events.ts";
import type { Commission, Pending, ValidatorRecord } from "./ledger.ts";
import { assignInflation, findValidator, type Step } from "./step.ts";

/** The next observation decides about a pending change only when it is at least so much later. */
export const SECOND_READING_MILLISECONDS = 30_000;

/** More new changes than both of these in one observation put the source itself in doubt. */
const MASS_CHANGES = 20;
const MASS_PERCENT = 5;
const MASS_OBSERVATIONS = 2;

/** What the rows of an accepted observation say of inflation commissions (design §4, «when is it an event»). */
export function foldInflation(step: Step, rows: readonly CheckRow[]): void {
  const opened: Pending<Commission>[] = [];
  for (const row of rows) {
    const found = findValidator(step.ledger, row.vote);
    const commission = toCommission(row);
    if (found === null || commission === null) continue;
    const pending = foldReading(step, found.ordinal, found.validator, commission);
    if (pending !== null) opened.push(pending);
    carryForward(step, found.ordinal, found.validator);
  }
  if (opened.length <= MASS_CHANGES || opened.length * 100 <= rows.length * MASS_PERCENT) return;
  for (const pending of opened) Object.assign(pending, { mass: true, needed: MASS_OBSERVATIONS });
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
    validator.inflationShown = step.moment;
    step.touched.commissions.add(ordinal);
    return null;
  }
  if (agrees(inflation, commission)) {
    if (pending !== null && !isLater(step, pending)) return null;
    if (pending !== null) drop(step, validator);
    refine(step, ordinal, inflation, commission);
    validator.inflationShown = step.moment;
    return null;
  }
  if (pending === null || !agrees(pending.to, commission)) return open(step, validator, commission);
  if (commission.exact && !pending.to.exact) pending.to = commission;
  if (!isLater(step, pending)) return null;
  pending.needed -= 1;
  if (pending.needed <= 0) confirm(step, ordinal, validator, pending);
  return null;
}

/** A second reading of named vote accounts, from the accounts themselves. */
export function foldInflationConfirm(step: Step, accounts: ConfirmEntry["accounts"]): void {
  for (const account of accounts) {
    const found = findValidator(step.ledger, account.vote);
    const commission = toStoredCommission(account);
    const pending = found?.validator.pendingInflation;
    if (!found || commission === null || !pending || pending.mass) continue;
    const { ordinal, validator } = found;
    if (agrees(pending.to, commission)) {
      pending.to = commission;
      confirm(step, ordinal, validator, pending);
      // An account read at an older slot than the change was seen at may not have it yet: it cannot deny.
    } else if (
      step.moment.slot >= pending.first.slot &&
      validator.inflation &&
      agrees(validator.inflation, commission)
    ) {
      drop(step, validator);
      refine(step, ordinal, validator.inflation, commission);
    }
  }
}

function open(step: Step, validator: ValidatorRecord, to: Commission): Pending<Commission> {
  if (validator.pendingInflation !== null) step.ledger.dropped += 1;
  validator.pendingInflation = {
    to,
    first: step.moment,
    previous: validator.inflationShown,
    endpoint: step.endpoint,
    needed: 1,
    mass: false,
  };
  return validator.pendingInflation;
}

function drop(step: Step, validator: ValidatorRecord): void {
  validator.pendingInflation = null;
  step.ledger.dropped += 1;
}

function confirm(step: Step, ordinal: number, validator: ValidatorRecord, pending: Pending<Commission>): void {
  const from = validator.inflation?.basisPoints ?? 0;
  recordInflationEvent(step, ordinal, { from, to: pending.to.basisPoints, pending });
  validator.pendingInflation = null;
  validator.inflationShown = step.moment;
  assignInflation(step, ordinal, pending.to);
  // The change belongs to the epoch in which it was first seen, though it was confirmed in a later one.
  for (const { epoch } of step.ledger.epochs) {
    if (epoch >= pending.first.epoch)
      setU16(step.ledger.inflation, epoch, ordinal, pending.to.basisPoints, NOT_RECORDED);
  }
  step.touched.commissions.add(ordinal);
}

/** A precise value replaces the percent that stood for it; never the other way round. */
function refine(step: Step, ordinal: number, held: Commission, next: Commission): void {
  if (held.exact || !next.exact) return;
  assignInflation(step, ordinal, next);
  step.touched.commissions.add(ordinal);
}

/** The column of the running epoch always holds the newest known value. */
function carryForward(step: Step, ordinal: number, validator: ValidatorRecord): void {
  if (validator.inflation === null) return;
  const { inflation, epochs } = step.ledger;
  const epoch = epochs.at(-1)?.epoch ?? step.moment.epoch;
  if (inflation.get(epoch)?.[ordinal] === validator.inflation.basisPoints) return;
  setU16(inflation, epoch, ordinal, validator.inflation.basisPoints, NOT_RECORDED);
  step.touched.commissions.add(ordinal);
}

function isLater(step: Step, pending: Pending<unknown>): boolean {
  return Date.parse(step.moment.time) - Date.parse(pending.first.time) >= SECOND_READING_MILLISECONDS;
}
