import { addU16 } from "../columns.ts";
import type { Reading } from "../../agree/agree.ts";
import type { AgreedSet } from "../../agree/validator-set.ts";
import type { CheckRow } from "../../entries/entry.ts";
import type { ValidatorRecord } from "../records.ts";
import { assignListed, type Found, type Step } from "../step.ts";

/** If over a third of the stake is delinquent, the cluster is down, not its validators. */
const OUTAGE_DIVISOR = 3n;

/** Minutes kept: the clocks of two generators differ by less. */
const MINUTES_KEPT = 120;

/** A validator without a vote for this long is more than briefly behind. */
const LONG_SILENCE_MILLISECONDS = 3_600_000;

/**
 * Counts checks. The earliest accepted observation of a UTC minute is its check. An outage of the
 * cluster is not counted.
 */
export function foldUptime(
  step: Step,
  found: readonly Found<CheckRow>[],
  { set, totals }: Pick<Reading, "set" | "totals">,
): void {
  closeHour(step);
  touchLongSilent(step);
  const isCheck = beginMinute(step);
  const delinquent = new Set(found.filter((one) => isDelinquent(one, set)));
  if (sumStake(delinquent) * OUTAGE_DIVISOR > totals.stake) return;
  for (const one of found) {
    const { validatorIndex, validator } = one;
    if (!validator.listed) continue;
    setDelinquent(step, validatorIndex, validator, delinquent.has(one));
    if (isCheck) count(step, validatorIndex, delinquent.has(one));
  }
}

/** Without a decision the state before stays. */
function isDelinquent({ rowIndex, validator }: Found<CheckRow>, set: AgreedSet): boolean {
  return set.isDelinquent[rowIndex] ?? validator.delinquent;
}

function sumStake(found: Iterable<Found<CheckRow>>): bigint {
  let sum = 0n;
  for (const { row } of found) sum += row.activeStake;
  return sum;
}

/** @param since time of the first check without a vote. @param now both ISO 8601 */
export function isLongSilent(since: string, now: string): boolean {
  return Date.parse(now) - Date.parse(since) >= LONG_SILENCE_MILLISECONDS;
}

/** Verdicts report a long silence from the first observation after its first hour. */
function touchLongSilent({ ledger, touched, moment }: Step): void {
  ledger.validators.forEach(({ listed, delinquentSince, seen }, validatorIndex) => {
    if (!listed || delinquentSince === null || !isLongSilent(delinquentSince, moment.time)) return;
    if (!isLongSilent(delinquentSince, seen.time)) touched.profiles.add(validatorIndex);
  });
}

function setDelinquent(
  step: Step,
  validatorIndex: number,
  validator: ValidatorRecord,
  delinquent: boolean,
): void {
  if (validator.delinquent === delinquent) return;
  assignListed(step, validatorIndex, {
    delinquent,
    delinquentSince: delinquent ? step.moment.time : null,
  });
}

function count(step: Step, validatorIndex: number, delinquent: boolean): void {
  const { uptime } = step.ledger;
  addU16(uptime.hourChecks, "running", validatorIndex, 1);
  if (delinquent) addU16(uptime.hourDelinquentChecks, "running", validatorIndex, 1);
}

/** Writes a full hour once rather than sixty times. */
function closeHour(step: Step): void {
  const { uptime, validators } = step.ledger;
  const hour = step.moment.time.slice(0, "YYYY-MM-DDTHH".length);
  // Clocks differ: an observation that comes a little late counts with the running hour.
  if (uptime.hour !== null && hour <= uptime.hour && hour >= hourBefore(uptime.hour)) return;
  step.touched.isTimeTouched = true;
  const day = uptime.hour?.slice(0, "YYYY-MM-DD".length);
  const checks = uptime.hourChecks.get("running");
  const delinquent = uptime.hourDelinquentChecks.get("running");
  for (const [validatorIndex, validator] of validators.entries()) {
    if (validator.performance !== null && validator.performance !== validator.performanceOfHour) {
      validator.performanceOfHour = validator.performance;
      step.touched.profiles.add(validatorIndex);
    }
    const counted = checks?.[validatorIndex] ?? 0;
    if (day === undefined || counted === 0) continue;
    addU16(uptime.checks, day, validatorIndex, counted);
    addU16(uptime.delinquentChecks, day, validatorIndex, delinquent?.[validatorIndex] ?? 0);
    step.touched.uptime.add(validatorIndex);
    step.touched.months.add(toMonth(day));
  }
  uptime.hour = hour;
  uptime.hourChecks.clear();
  uptime.hourDelinquentChecks.clear();
}

/** The month of a UTC day, `YYYY-MM`. */
export function toMonth(date: string): string {
  return date.slice(0, "YYYY-MM".length);
}

function beginMinute(step: Step): boolean {
  const minute = step.moment.time.slice(0, "YYYY-MM-DDTHH:MM".length);
  const { minutes } = step.ledger.uptime;
  if (minutes.includes(minute)) return false;
  step.ledger.uptime.minutes = [...minutes, minute].slice(-MINUTES_KEPT);
  return true;
}

/** @param hour `YYYY-MM-DDTHH` */
function hourBefore(hour: string): string {
  return new Date(Date.parse(`${hour}:00:00.000Z`) - 3_600_000).toISOString().slice(0, hour.length);
}
