import type { Commission } from "../../chain/commission.ts";
import { NODES_DIFFER_SLOTS } from "../../chain/slots.ts";
import type { Moment, RateRun, ValidatorRecord } from "../records.ts";
import { assignListed, type Step } from "../step.ts";
import { touchHistory } from "../touched.ts";
import { newestRate } from "./timeline.ts";

/* How a reading changes the runs of a validator's inflation commission. */

/** A rate that a majority answers. */
interface AgreedRun {
  commission: Commission;
  /** Moment by which a majority had certainly answered it. */
  until: Moment;
  /** Readings up to this slot cannot show another rate. */
  floor: number;
}

/** Begins a first rate on which no majority has agreed; a later, different one corrects it. */
export function assumeRate(
  step: Step,
  validatorIndex: number,
  { commission, moment }: { commission: Commission; moment: Moment },
): void {
  // Healthy witnesses may be this far apart.
  const until = { ...moment, slot: moment.slot - 2 * NODES_DIFFER_SLOTS - 1 };
  replaceRuns(step, validatorIndex, [
    toRun(commission, { from: step.moment, until, believed: null }),
  ]);
}

/**
 * Begins a run of another rate.
 * @param run.believed null: it only makes a percent exact
 */
export function beginRun(
  step: Step,
  validatorIndex: number,
  { from, believed, ...reading }: AgreedRun & Pick<RateRun, "from" | "believed">,
): void {
  const validator = step.ledger.validators[validatorIndex];
  if (validator === undefined) return;
  const { commission, until } = reading;
  // In epochs between its first reading and its confirmation it may not have been in force.
  const begun = toRun(commission, { from, until: until.slot < from.slot ? until : from, believed });
  replaceRuns(step, validatorIndex, [...validator.rates.runs, begun]);
  extendRun(step, validatorIndex, until, reading.floor);
}

/** Replaces the first rate; what was in force before is then unknown. */
export function forgetBefore(step: Step, validatorIndex: number, reading: AgreedRun): void {
  const validator = step.ledger.validators[validatorIndex];
  if (validator === undefined) return;
  const { commission, until } = reading;
  validator.rates.restartIndex = 0;
  replaceRuns(step, validatorIndex, [
    toRun(commission, { from: step.moment, until, believed: null }),
  ]);
  touchHistory(step, validatorIndex, validator.firstEpoch);
  markAgreed(validator, reading.floor);
}

/** Makes the newest run's rate the agreed one, or exact. */
export function settleRun(step: Step, validatorIndex: number, reading: AgreedRun): void {
  const validator = step.ledger.validators[validatorIndex];
  const run = validator && newestRate(validator);
  if (validator === undefined || run == null) return;
  const { commission, until } = reading;
  replaceRuns(step, validatorIndex, [
    ...validator.rates.runs.slice(0, -1),
    { ...run, ...commission, until },
  ]);
  extendRun(step, validatorIndex, until, reading.floor);
}

/**
 * Extends the newest run: a majority still answers its rate.
 * @param until moment by which a majority had certainly answered it
 * @param floor readings up to this slot cannot show another rate
 */
export function extendRun(step: Step, validatorIndex: number, until: Moment, floor: number): void {
  const validator = step.ledger.validators[validatorIndex];
  if (validator === undefined) return;
  reachEpoch(step, validatorIndex, until);
  const run = newestRate(validator);
  if (run !== null && until.slot > run.until.slot) {
    if (hasProofIn(validator, run.until.slot, until.slot)) step.touched.events.add(validatorIndex);
    run.until = until;
  }
  markAgreed(validator, floor);
}

function hasProofIn({ rateProofs }: ValidatorRecord, after: number, upTo: number): boolean {
  for (const { slot } of rateProofs) if (slot > after && slot <= upTo) return true;
  return false;
}

/**
 * Extends the newest run into another epoch. After epochs of which nothing is known, a new run of
 * the same rate begins.
 */
export function reachEpoch(step: Step, validatorIndex: number, moment: Moment): void {
  const { epoch } = moment;
  const validator = step.ledger.validators[validatorIndex];
  const run = validator && newestRate(validator);
  if (validator === undefined || run == null || epoch <= run.lastEpoch) return;
  if (epoch === run.lastEpoch + 1) run.lastEpoch = epoch;
  else validator.rates.runs.push({ ...run, from: moment, lastEpoch: epoch, believed: null });
  touchEpochs(step, validatorIndex, epoch);
}

/**
 * Takes a change back: documents show the rate before it, and its own rate becomes pending.
 * @param run the newest change's
 */
export function takeBackRun(step: Step, validatorIndex: number, run: RateRun): void {
  const validator = step.ledger.validators[validatorIndex];
  if (validator === undefined) return;
  const { basisPoints, exact, from } = run;
  const { rates } = validator;
  replaceRuns(step, validatorIndex, rates.runs.slice(0, rates.runs.indexOf(run)));
  touchEpochs(step, validatorIndex, from.epoch);
  rates.floor = newestRate(validator)?.until.slot ?? -1;
  const to = { basisPoints, exact };
  rates.pending = {
    to,
    first: from,
    agreedAt: from.time,
    massLeft: null,
    answers: [],
    isDisputed: false,
  };
}

function toRun(
  commission: Commission,
  { from, until, believed }: Pick<RateRun, "from" | "until" | "believed">,
): RateRun {
  return { ...commission, from, until, lastEpoch: Math.max(from.epoch, until.epoch), believed };
}

function markAgreed({ rates }: ValidatorRecord, floor: number): void {
  rates.isAgreed = true;
  rates.floor = Math.max(rates.floor, floor);
}

function replaceRuns(step: Step, validatorIndex: number, runs: RateRun[]): void {
  const validator = step.ledger.validators[validatorIndex];
  const newest = runs.at(-1);
  if (validator === undefined || newest === undefined) return;
  validator.rates.runs = runs;
  validator.rates.pending = null;
  assignListed(step, validatorIndex, { commissionBasisPoints: newest.basisPoints });
  touchEpochs(step, validatorIndex, newest.from.epoch);
}

function touchEpochs(step: Step, validatorIndex: number, since: number): void {
  step.touched.events.add(validatorIndex);
  touchHistory(step, validatorIndex, since);
}
