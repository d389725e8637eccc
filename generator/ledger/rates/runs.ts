import type { Commission } from "../../chain/commission.ts";
import { NODES_DIFFER_SLOTS } from "../../chain/slots.ts";
import type { Moment, RateRun, ValidatorRecord } from "../records.ts";
import { assignListed, type Step } from "../step.ts";
import { touchGapBefore, touchPointsFrom } from "../touched.ts";
import { lastEpochOf, newestRate } from "./timeline.ts";

/* How a reading changes the runs of a validator's inflation commission. */

/** What else rests on readings up to here. */
interface Reading {
  commission: Commission;
  /** By which a majority surely showed it. */
  until: Moment;
  /** Readings up to this slot cannot show another rate. */
  floor: number;
}

/** A first rate on which no majority has agreed; another one later corrects it. */
export function assumeRate(
  step: Step,
  validatorIndex: number,
  { commission, moment }: { commission: Commission; moment: Moment },
): void {
  // Healthy witnesses may be this far apart.
  const until = { ...moment, slot: moment.slot - 2 * NODES_DIFFER_SLOTS - 1 };
  replaceRuns(step, validatorIndex, [{ ...commission, from: step.moment, until, believed: null }]);
}

/** Another rate stands from now on. @param run.believed null: it only makes a percent exact */
export function beginRun(
  step: Step,
  validatorIndex: number,
  { from, believed, ...reading }: Reading & Pick<RateRun, "from" | "believed">,
): void {
  const validator = step.ledger.validators[validatorIndex];
  if (validator === undefined) return;
  const { commission, until } = reading;
  replaceRuns(step, validatorIndex, [...validator.rates.runs, { ...commission, from, until, believed }]);
  agree(validator, reading);
}

/** The first rate is another, and nobody knows what stood before. */
export function forgetBefore(step: Step, validatorIndex: number, reading: Reading): void {
  const validator = step.ledger.validators[validatorIndex];
  if (validator === undefined) return;
  const { commission, until } = reading;
  replaceRuns(step, validatorIndex, [{ ...commission, from: step.moment, until, believed: null }]);
  touchPointsFrom(step, validator.firstEpoch);
  agree(validator, reading);
}

/** The first rate is what was assumed, or its exact value. */
export function settleFirst(step: Step, validatorIndex: number, reading: Reading): void {
  const validator = step.ledger.validators[validatorIndex];
  const first = validator?.rates.runs[0];
  if (validator === undefined || first === undefined) return;
  replaceRuns(step, validatorIndex, [{ ...first, ...reading.commission, until: reading.until }]);
  agree(validator, reading);
}

/** A majority still shows the newest rate. */
export function extendRun(step: Step, validatorIndex: number, { until, floor }: Omit<Reading, "commission">): void {
  const validator = step.ledger.validators[validatorIndex];
  const run = validator && newestRate(validator);
  if (validator === undefined || run == null) return;
  const last = lastEpochOf(run);
  if (until.epoch > last + 1) validator.rates.runs.push({ ...run, from: until, until, believed: null });
  else if (until.slot > run.until.slot) run.until = until;
  agree(validator, { floor });
  if (until.epoch > last) touchEpochs(step, validatorIndex, until.epoch);
}

/** A change is taken back: documents show the rate before it, and its own is pending. @param run the newest change's */
export function takeBackRun(step: Step, validatorIndex: number, run: RateRun): void {
  const validator = step.ledger.validators[validatorIndex];
  if (validator === undefined) return;
  const { basisPoints, exact, from } = run;
  const { rates } = validator;
  replaceRuns(step, validatorIndex, rates.runs.slice(0, rates.runs.indexOf(run)));
  touchEpochs(step, validatorIndex, from.epoch);
  rates.floor = newestRate(validator)?.until.slot ?? -1;
  const to = { basisPoints, exact };
  rates.pending = { to, first: from, agreedAt: from.time, massLeft: null, answers: [], isDisputed: false };
}

function agree({ rates }: ValidatorRecord, { floor }: Pick<Reading, "floor">): void {
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
  step.touched.commissions.add(validatorIndex);
  step.touched.profiles.add(validatorIndex);
  touchPointsFrom(step, since);
  touchGapBefore(step, validatorIndex, since);
}
