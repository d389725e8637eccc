import { agrees, type Commission, toCommission } from "../../chain/commission.ts";
import type { AgreedRate, AgreedRates, RateReading } from "../../agree/rates.ts";
import { isMass, MASS_OBSERVATIONS, OUTDATED_SLOTS, waitsForOther } from "../belief.ts";
import type { Ledger } from "../ledger.ts";
import { unwatchEnds } from "./boundaries.ts";
import { dropPending, fitsRate, isRateBelieved, nextPendingRate } from "./pending-rate.ts";
import type { PendingRate, RateRun, ValidatorRecord } from "../records.ts";
import { isRefuted } from "../proof/refutations.ts";
import { momentAt } from "../schedule.ts";
import { findValidator, type Found, type Step } from "../step.ts";
import { assumeRate, beginRun, extendRun, forgetBefore, reachEpoch, settleRun } from "./runs.ts";
import { newestRate } from "./timeline.ts";
import { isWholePercent } from "./whole-percent.ts";

/*
 * A majority of the witnesses' own lists decides in one observation. A rate other than the current
 * one is pending until it is accepted; then it becomes an event. A reading may
 *
 *   assume   a first rate on which no majority has agreed yet
 *   confirm  the current rate, whose run then reaches further, or a pending one, which begins a run
 *   correct  an assumed rate, or a percent whose exact rate is now known
 *   expect   another rate: it is pending, and may be disputed
 *   give up  what was pending, because all answer the current rate again
 */

interface RipeChange extends Rated {
  pending: PendingRate;
  agreed: AgreedRate;
}

/**
 * Folds the rates on which the panel agrees.
 * @param found the entry's rows
 * @param of.isAccepted false: the observation was refused, and begins no first rate
 */
export function foldRates(
  step: Step,
  { panel, listed, unlisted }: AgreedRates,
  { found, isAccepted }: { found: readonly Found<unknown>[]; isAccepted: boolean },
): void {
  const ripe: RipeChange[] = [];

  function take(rated: Rated, reading: RateReading): void {
    const { validatorIndex, validator } = rated;
    if (isAccepted && newestRate(validator) === null) assume(step, validatorIndex, reading);
    const change = foldRate(step, rated, reading, panel);
    if (change !== null) ripe.push(change);
  }

  for (const one of found) {
    const reading = listed[one.rowIndex] ?? null;
    if (reading !== null) take(one, reading);
  }
  for (const [vote, reading] of unlisted) {
    const known = findValidator(step.ledger, vote);
    if (known !== null) take(known, reading);
  }
  markMass(step.ledger, ripe);
  for (const change of ripe)
    if ((change.pending.massLeft ?? 0) === 0) confirmPending(step, panel.length, change);
  if (!isAccepted) return;
  const newest = { ...step.moment, epoch: step.ledger.epochs.at(-1)?.epoch ?? step.moment.epoch };
  for (const { validatorIndex } of found) reachEpoch(step, validatorIndex, newest);
}

/**
 * Whether a list's row shows the expected rate: the current one, or its whole percent while no
 * other rate is pending. If not, the vote account must be read too.
 */
export function isRateClear(
  ledger: Ledger,
  row: { vote: string; basisPoints: number | null; percent: number | null },
): boolean {
  const validator = findValidator(ledger, row.vote)?.validator;
  const epoch = ledger.epochs.at(-1)?.epoch ?? 0;
  const commission = toCommission(row, { isWhole: isWholePercent(ledger, epoch) });
  const current = validator && newestRate(validator);
  if (commission === null || current == null) return true;
  return fitsRate(current, commission) && (commission.exact || validator?.rates.pending === null);
}

function assume(step: Step, validatorIndex: number, { agreed, answers }: RateReading): void {
  const [first] = answers;
  const commission = agreed?.commission ?? first?.commission;
  const slot = agreed?.until ?? first?.slot;
  if (commission === undefined || slot === undefined) return;
  assumeRate(step, validatorIndex, { commission, moment: momentAt(step, slot) });
}

interface Rated {
  validatorIndex: number;
  validator: ValidatorRecord;
}

/** Returns the change that this observation settles, if any. */
function foldRate(
  step: Step,
  rated: Rated,
  reading: RateReading,
  panel: readonly string[],
): RipeChange | null {
  const { validatorIndex, validator } = rated;
  const { agreed, answers } = reading;
  const { floor, isAgreed } = validator.rates;
  const current = newestRate(validator);
  if (current === null) return null;
  if (agreed === null) {
    if (showsAnother(reading, current, floor))
      keepPending(step, validator, { current, reading, panel });
    else if (answers.every(({ commission }) => fitsRate(current, commission)))
      giveUpPending(step, validatorIndex, validator);
    return null;
  }
  if (agreed.until <= Math.max(floor, current.until.slot)) return null;
  if (
    waitsForOther(step.ledger, agreed.isAlone, step.moment.time) ||
    hidesAnother(current, reading)
  ) {
    const unagreed = { agreed: null, answers };
    if (showsAnother(reading, current, floor))
      keepPending(step, validator, { current, reading: unagreed, panel });
    return null;
  }
  if (fitsRate(current, agreed.commission)) {
    confirmCurrent(step, rated, current, agreed);
    return null;
  }
  if (!isAgreed || mayBeSame(current, agreed.commission)) {
    correct(step, rated, current, agreed);
    return null;
  }
  const pending = keepPending(step, validator, { current, reading, panel });
  const circumstances = { now: step.moment.time, panelSize: panel.length };
  return isRateBelieved(pending, agreed, current, circumstances)
    ? { validatorIndex, validator, pending, agreed }
    : null;
}

/**
 * Whether a witness answers another rate than the current one.
 * @param floor answers up to this slot show no news
 */
function showsAnother({ answers }: RateReading, current: Commission, floor: number): boolean {
  return answers.some(({ commission, slot }) => !fitsRate(current, commission) && slot > floor);
}

/** A percent that witnesses agree on may be a point from what each of them lists. */
function mayBeSame(current: Commission, commission: Commission): boolean {
  return !current.exact && agrees(current, { ...commission, exact: false });
}

/**
 * Whether the agreed percent fits the current rate although a witness answers an exact rate that
 * does not.
 */
function hidesAnother(current: Commission, { agreed, answers }: RateReading): boolean {
  if (agreed === null || agreed.commission.exact) return false;
  return answers.some(({ commission }) => commission.exact && !fitsRate(current, commission));
}

function keepPending(
  step: Step,
  { rates }: ValidatorRecord,
  { current, ...observed }: { current: RateRun; reading: RateReading; panel: readonly string[] },
): PendingRate {
  const at = (slot: number) => momentAt(step, slot);
  rates.pending = nextPendingRate(rates.pending, {
    ...observed,
    current,
    until: current.until,
    at,
  });
  return rates.pending;
}

/** A percent that fits both the current and the pending rate confirms neither. */
function confirmCurrent(step: Step, rated: Rated, current: RateRun, agreed: AgreedRate): void {
  const { validatorIndex, validator } = rated;
  const { commission, latest } = agreed;
  const { pending } = validator.rates;
  if (pending !== null && !commission.exact && agrees(pending.to, commission)) return;
  giveUpPending(step, validatorIndex, validator);
  if (commission.exact && !current.exact) correct(step, rated, current, agreed);
  else if (commission.exact === current.exact)
    extendRun(step, validatorIndex, momentAt(step, surelyUntil(agreed)), latest);
}

function giveUpPending(step: Step, validatorIndex: number, validator: ValidatorRecord): void {
  if (validator.rates.pending === null) return;
  unwatchEnds(step, validatorIndex);
  dropPending(step.ledger, validator);
}

/**
 * Replaces a percent by its exact rate, or corrects a first rate on which no majority had agreed.
 */
function correct(
  step: Step,
  { validatorIndex, validator }: Rated,
  current: RateRun,
  agreed: AgreedRate,
): void {
  const reading = toReading(step, agreed);
  if (!agrees(current, agreed.commission)) forgetBefore(step, validatorIndex, reading);
  else if (validator.rates.isAgreed)
    beginRun(step, validatorIndex, { ...reading, from: step.moment, believed: null });
  else settleRun(step, validatorIndex, reading);
}

function toReading(step: Step, agreed: AgreedRate) {
  const { commission, latest } = agreed;
  return { commission, until: momentAt(step, surelyUntil(agreed)), floor: latest };
}

/** Slot up to which the rate was certainly in force: an account may be outdated. */
function surelyUntil({ of, until }: AgreedRate): number {
  return of === "account" ? until - OUTDATED_SLOTS : until;
}

/**
 * Marks changes of many validators at once. They point to a fault of the source, so further
 * observations must show them too.
 */
function markMass({ validators }: Ledger, ripe: readonly RipeChange[]): void {
  const fresh = ripe.filter(({ pending }) => pending.massLeft === null);
  if (fresh.length === 0) return;
  if (!isMass(fresh.length, validators.filter(({ listed }) => listed).length)) return;
  for (const { pending } of fresh) pending.massLeft = MASS_OBSERVATIONS;
}

/** Begins a run of the new rate, unless searches refute it. */
function confirmPending(
  step: Step,
  panelSize: number,
  { validatorIndex, validator, pending, agreed }: RipeChange,
): void {
  const { first, to } = pending;
  const after = newestRate(validator)?.until.slot ?? first.slot;
  if (isRefuted(validator, { after, upTo: first.slot, to: to.basisPoints })) return;
  const by = panelSize === 1 || agreed.isAlone ? "observations" : "witnesses";
  const believed = { at: step.moment.time, by } as const;
  beginRun(step, validatorIndex, { ...toReading(step, agreed), from: first, believed });
}
