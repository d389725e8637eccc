import { DISABLED, NOT_RECORDED, setU16 } from "./columns.ts";
import { MAX_BASIS_POINTS } from "./commission.ts";
import type { ConfirmEntry, SnapshotEntry } from "./entry.ts";
import { recordMevEvent } from "./events.ts";
import { SECOND_READING_MILLISECONDS } from "./inflation.ts";
import type { MevState, Pending, ValidatorRecord } from "./ledger.ts";
import { assignListed, findValidator, type Step } from "./step.ts";

type MevRow = Extract<SnapshotEntry["mev"], { state: "ok" }>["value"]["rows"][number];

/** Clients that build blocks with the batch vendor: AgaveBam and FireBAM in the registry of client ids. */
const BATCH_CLIENT_IDS = [6, 12];

/** What the vendor's latest list says. It names who runs the vendor's client; absence from it says nothing yet. */
export function foldMev(step: Step, rows: readonly MevRow[]): void {
  const byVote = new Map(rows.map((row) => [row.vote, row]));
  for (const [ordinal, validator] of step.ledger.validators.entries()) {
    const row = byVote.get(validator.vote);
    const runsBatch = row?.runningBam ?? (validator.clientId !== null && BATCH_CLIENT_IDS.includes(validator.clientId));
    assignListed(step, ordinal, { mevVendorEnabled: row !== undefined, batchVendorEnabled: runsBatch });
    if (row !== undefined) foldRow(step, ordinal, validator, row);
  }
}

function foldRow(step: Step, ordinal: number, validator: ValidatorRecord, row: MevRow): void {
  if (row.priorityFeeBasisPoints !== null && row.priorityFeeBasisPoints !== validator.priorityFeeBasisPoints) {
    validator.priorityFeeBasisPoints = Math.min(row.priorityFeeBasisPoints, MAX_BASIS_POINTS);
    step.touched.profiles.add(ordinal);
  }
  if (row.mevBasisPoints === null) return;
  foldValue(step, ordinal, validator, Math.min(row.mevBasisPoints, MAX_BASIS_POINTS));
  if (typeof validator.mev === "number") show(step, ordinal, validator);
}

function foldValue(step: Step, ordinal: number, validator: ValidatorRecord, basisPoints: number): void {
  const pending = validator.pendingMev;
  if (validator.mev === null) {
    validator.mev = basisPoints;
    return;
  }
  if (validator.mev === basisPoints) {
    if (pending !== null) drop(step, validator);
    validator.mevShown = step.moment;
    return;
  }
  if (pending?.to !== basisPoints) {
    if (pending !== null) step.ledger.dropped += 1;
    const previous = validator.mevShown ?? step.moment;
    const { moment: first, endpoint } = step;
    validator.pendingMev = { to: basisPoints, first, previous, endpoint, needed: 1, mass: false };
    return;
  }
  if (Date.parse(step.moment.time) - Date.parse(pending.first.time) < SECOND_READING_MILLISECONDS) return;
  confirm(step, ordinal, validator, pending);
}

/** Tip-distribution accounts on chain decide about a pending MEV change; an absent one decides nothing while its epoch runs. */
export function foldMevConfirm(step: Step, tips: ConfirmEntry["tips"]): void {
  for (const tip of tips) {
    const found = findValidator(step.ledger, tip.vote);
    const pending = found?.validator.pendingMev;
    if (!found || !pending || !tip.exists || tip.mevBasisPoints === null || tip.epoch !== pending.first.epoch) continue;
    const basisPoints = Math.min(tip.mevBasisPoints, MAX_BASIS_POINTS);
    if (basisPoints === pending.to) confirm(step, found.ordinal, found.validator, pending);
    else if (basisPoints === found.validator.mev) drop(step, found.validator);
  }
}

function drop(step: Step, validator: ValidatorRecord): void {
  validator.pendingMev = null;
  step.ledger.dropped += 1;
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
