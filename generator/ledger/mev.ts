import { DISABLED, NOT_RECORDED, setU16 } from "./columns.ts";
import { MAX_BASIS_POINTS } from "./commission.ts";
import type { ConfirmEntry, SnapshotEntry } from "./entry.ts";
import { recordMevEvent } from "./events.ts";
import type { MevState, Pending, ValidatorRecord } from "./records.ts";
import { doubtMass, dropPending, isSecondReading } from "./pending.ts";
import { assignListed, findValidator, type Step } from "./step.ts";

type MevRow = Extract<SnapshotEntry["mev"], { state: "ok" }>["value"]["rows"][number];

/** Clients that build blocks with the batch vendor: AgaveBam and FireBAM in the registry of client ids. */
const BATCH_CLIENT_IDS = [6, 12];

/** What the vendor's latest list says. It names who runs the vendor's client; absence from it says nothing yet. */
export function foldMev(step: Step, rows: readonly MevRow[]): void {
  const byVote = new Map(rows.map((row) => [row.vote, row]));
  const opened: Pending<number>[] = [];
  for (const [ordinal, validator] of step.ledger.validators.entries()) {
    const row = byVote.get(validator.vote);
    const batchVendorEnabled = row?.runningBam ?? runsBatchClient(validator);
    assignListed(step, ordinal, { mevVendorEnabled: row !== undefined, batchVendorEnabled });
    const pending = row === undefined ? null : foldRow(step, ordinal, validator, row);
    if (pending !== null) opened.push(pending);
  }
  doubtMass(opened, rows.length);
}

/** Where there is no vendor to ask, the client's number alone tells of the batch vendor. */
export function foldBatchClients(step: Step): void {
  for (const [ordinal, validator] of step.ledger.validators.entries())
    assignListed(step, ordinal, { batchVendorEnabled: runsBatchClient(validator) });
}

function runsBatchClient({ clientId }: ValidatorRecord): boolean {
  return clientId !== null && BATCH_CLIENT_IDS.includes(clientId);
}

/** Answers the change this row opened, if it did. */
function foldRow(step: Step, ordinal: number, validator: ValidatorRecord, row: MevRow): Pending<number> | null {
  const priorityFee = row.priorityFeeBasisPoints && Math.min(row.priorityFeeBasisPoints, MAX_BASIS_POINTS);
  if (priorityFee !== null && priorityFee !== validator.priorityFeeBasisPoints) {
    validator.priorityFeeBasisPoints = priorityFee;
    step.touched.profiles.add(ordinal);
  }
  if (row.mevBasisPoints === null) return null;
  const opened = foldValue(step, ordinal, validator, Math.min(row.mevBasisPoints, MAX_BASIS_POINTS));
  if (typeof validator.mev === "number") show(step, ordinal, validator);
  return opened;
}

function foldValue(
  step: Step,
  ordinal: number,
  validator: ValidatorRecord,
  basisPoints: number,
): Pending<number> | null {
  const pending = validator.pendingMev;
  if (validator.mev === null) {
    validator.mev = basisPoints;
    return null;
  }
  if (validator.mev === basisPoints) {
    dropPending(step.ledger, validator, "pendingMev");
    validator.mevShown = step.moment;
    return null;
  }
  if (pending?.to !== basisPoints) return open(step, validator, basisPoints);
  if (!isSecondReading(step.moment, pending)) return null;
  pending.needed -= 1;
  if (pending.needed <= 0) confirm(step, ordinal, validator, pending);
  return null;
}

function open(step: Step, validator: ValidatorRecord, to: number): Pending<number> {
  dropPending(step.ledger, validator, "pendingMev");
  const { moment: first, endpoint } = step;
  const previous = validator.mevShown ?? first;
  validator.pendingMev = { to, first, previous, endpoint, needed: 1, mass: false };
  return validator.pendingMev;
}

/** Tip-distribution accounts on chain decide about a pending MEV change; an absent one decides nothing while its epoch runs. */
export function foldMevConfirm(step: Step, tips: ConfirmEntry["tips"]): void {
  for (const tip of tips) {
    const found = findValidator(step.ledger, tip.vote);
    const pending = found?.validator.pendingMev;
    if (!found || !pending || pending.mass || !tip.exists || tip.mevBasisPoints === null) continue;
    if (tip.epoch !== pending.first.epoch) continue;
    const basisPoints = Math.min(tip.mevBasisPoints, MAX_BASIS_POINTS);
    if (basisPoints === pending.to) confirm(step, found.ordinal, found.validator, pending);
    // The rate is fixed when the account is made: the old one or a third one, the list was wrong.
    else dropPending(step.ledger, found.validator, "pendingMev");
  }
}

function confirm(step: Step, ordinal: number, validator: ValidatorRecord, pending: Pending<number>): void {
  const { first, previous } = pending;
  recordMevEvent(step, ordinal, { from: validator.mev, to: pending.to, epoch: first.epoch, first, previous });
  validator.mev = pending.to;
  validator.pendingMev = null;
  for (const { epoch } of step.ledger.epochs) {
    if (epoch >= first.epoch) setU16(step.ledger.mev, epoch, ordinal, pending.to, NOT_RECORDED);
  }
  show(step, ordinal, validator);
  step.touched.commissions.add(ordinal);
  step.touched.profiles.add(ordinal);
}

/** The record shown is of this moment: it moves the profile's epoch and the history's value of the running epoch. */
function show(step: Step, ordinal: number, validator: ValidatorRecord): void {
  if (validator.pendingMev === null) validator.mevShown = step.moment;
  if (validator.mevEpoch !== step.moment.epoch) {
    validator.mevEpoch = step.moment.epoch;
    step.touched.profiles.add(ordinal);
  }
  recordMev(step, ordinal, step.moment.epoch, validator.mev);
}

/** Writes one epoch's point of the MEV history. */
export function recordMev(step: Step, ordinal: number, epoch: number, state: MevState): void {
  if (state === null) return;
  const value = typeof state === "number" ? state : DISABLED;
  if (step.ledger.mev.get(epoch)?.[ordinal] === value) return;
  setU16(step.ledger.mev, epoch, ordinal, value, NOT_RECORDED);
  step.touched.commissions.add(ordinal);
  step.touched.profiles.add(ordinal);
}
