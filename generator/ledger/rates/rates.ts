import { agrees, type Commission, toCommission } from "../../chain/commission.ts";
import type { AgreedRate, AgreedRates, RateReading } from "../../agree/rates.ts";
import { isMass, MASS_OBSERVATIONS, OUTDATED_SLOTS } from "../belief.ts";
import { recordInflationEvent } from "../events/events.ts";
import { assumeRate, carryForward, forgetRate, holdRate } from "./held-rate.ts";
import type { Ledger } from "../ledger.ts";
import { dropPending } from "./pending.ts";
import { hearPending, isBelieved, isLongSilent, isShownBy } from "./pending-rate.ts";
import type { PendingRate, ValidatorRecord } from "../records.ts";
import { isRefuted } from "../proof/refutations.ts";
import { momentAt } from "../schedule.ts";
import type { Found, Step } from "../step.ts";
import { findValidator } from "../step.ts";
import { isWholePercent } from "./whole-percent.ts";

/*
 * A majority of the witnesses' own lists decides in one observation. What it shows beside the held rate is pending until
 * it is believed, and then an event.
 */

interface Change {
  validatorIndex: number;
  validator: ValidatorRecord;
  pending: PendingRate;
  agreed: AgreedRate;
}

/** @param isAccepted false: of a refused observation, which changes no first rate */
export function foldRates(
  step: Step,
  { panel, byVote }: AgreedRates,
  { found, isAccepted }: { found: readonly Found<unknown>[]; isAccepted: boolean },
): void {
  const ripe: Change[] = [];
  for (const [vote, reading] of byVote) {
    const known = findValidator(step.ledger, vote);
    if (known === null) continue;
    const { validatorIndex, validator } = known;
    if (validator.inflation === null && isAccepted) assume(step, validatorIndex, validator, reading);
    const change = hear(step, { ...known, reading, panel });
    if (change !== null) ripe.push(change);
  }
  markMass(step.ledger, ripe);
  for (const change of ripe) if ((change.pending.massLeft ?? 0) === 0) confirm(step, panel.length, change);
  if (!isAccepted) return;
  for (const { validatorIndex, validator } of found) carryForward(step, validatorIndex, validator);
}

/**
 * Whether a row of a list is as expected: the held rate, or a percent of it while no other is awaited. Else the vote
 * account is read too: who lists a percent of it needs that.
 */
export function isRateClear(
  ledger: Ledger,
  row: { vote: string; basisPoints: number | null; percent: number | null },
): boolean {
  const validator = findValidator(ledger, row.vote)?.validator;
  const epoch = ledger.epochs.at(-1)?.epoch ?? 0;
  const commission = toCommission(row, { isWhole: isWholePercent(ledger, epoch) });
  if (commission === null || validator?.inflation == null) return true;
  if (commission.exact) return isShownBy(validator.inflation, commission);
  return validator.pendingInflation === null && isShownBy(validator.inflation, commission);
}

function assume(step: Step, validatorIndex: number, validator: ValidatorRecord, { agreed, says }: RateReading): void {
  const [first] = says;
  const commission = agreed?.commission ?? first?.commission;
  const slot = agreed?.until ?? first?.slot;
  if (commission === undefined || slot === undefined) return;
  assumeRate(step, validatorIndex, validator, { commission, moment: momentAt(step, slot) });
}

interface Heard {
  validatorIndex: number;
  validator: ValidatorRecord;
  reading: RateReading;
  panel: readonly string[];
}

/** Returns a change that is believed now. */
function hear(step: Step, { validatorIndex, validator, reading, panel }: Heard): Change | null {
  const { agreed, says } = reading;
  const { inflation: held } = validator;
  if (held === null) return null;
  if (agreed === null) {
    const isNews = says.some(({ commission, slot }) => !isShownBy(held, commission) && slot > validator.inflationFloor);
    if (isNews) expect(step, validator, { reading, panel });
    else if (says.every(({ commission }) => isShownBy(held, commission))) dropPending(step.ledger, validator);
    return null;
  }
  if (agreed.until <= Math.max(validator.inflationFloor, validator.inflationShown.slot)) return null;
  const isAlone =
    agreed.isAlone && !isLongSilent({ silentSince: step.ledger.silent?.since ?? null, now: step.moment.time });
  if (hidesAnother(held, reading)) {
    expect(step, validator, { reading: { agreed: null, says }, panel });
    return null;
  }
  if (isShownBy(held, agreed.commission)) {
    showHeld(step, validatorIndex, { validator, held, agreed, isAlone });
    return null;
  }
  if (!validator.inflationSettled || mayBeSame(held, agreed.commission)) {
    if (!isAlone) correct(step, validatorIndex, { validator, held, agreed });
    return null;
  }
  const pending = expect(step, validator, { reading, panel });
  const circumstances = {
    now: step.moment.time,
    panelSize: panel.length,
    silentSince: step.ledger.silent?.since ?? null,
  };
  return isBelieved(pending, agreed, held, circumstances) ? { validatorIndex, validator, pending, agreed } : null;
}

/** A percent that witnesses agree on may be a point from what each of them lists. */
function mayBeSame(held: Commission, commission: Commission): boolean {
  return !held.exact && agrees(held, { ...commission, exact: false });
}

/** A percent fits the held rate, and a witness shows an exact one that does not. */
function hidesAnother(held: Commission, { agreed, says }: RateReading): boolean {
  if (agreed === null || agreed.commission.exact) return false;
  return says.some(({ commission }) => commission.exact && !isShownBy(held, commission));
}

function expect(step: Step, validator: ValidatorRecord, heard: Pick<Heard, "reading" | "panel">): PendingRate {
  const { inflation, inflationShown: shown, pendingInflation } = validator;
  const held = inflation ?? { basisPoints: 0, exact: false };
  const at = (slot: number) => momentAt(step, slot);
  validator.pendingInflation = hearPending(pendingInflation, { ...heard, held, shown, at });
  return validator.pendingInflation;
}

/** A percent that fits the held rate and the awaited one speaks for neither. */
function showHeld(
  step: Step,
  validatorIndex: number,
  {
    validator,
    held,
    agreed,
    isAlone,
  }: { validator: ValidatorRecord; held: Commission; agreed: AgreedRate; isAlone: boolean },
): void {
  const { commission, latest } = agreed;
  const { pendingInflation: pending } = validator;
  if (pending !== null && !commission.exact && agrees(pending.to, commission)) return;
  if (isAlone) return;
  if (commission.exact && !held.exact) correct(step, validatorIndex, { validator, held, agreed });
  else if (commission.exact === held.exact) {
    validator.inflationSettled = true;
    validator.inflationFloor = Math.max(validator.inflationFloor, latest);
    validator.inflationShown = momentAt(step, shownUntil(agreed));
  }
  dropPending(step.ledger, validator);
}

/** Makes a percent exact, or puts a first rate right on which no majority had agreed. */
function correct(
  step: Step,
  validatorIndex: number,
  { validator, held, agreed }: { validator: ValidatorRecord; held: Commission; agreed: AgreedRate },
): void {
  const isCorrected = !agrees(held, agreed.commission);
  if (isCorrected) forgetRate(step, validatorIndex, validator);
  const isSince = validator.inflationSettled || isCorrected;
  const epoch = isSince ? step.moment.epoch : validator.inflationShown.epoch;
  hold(step, validatorIndex, agreed, epoch);
}

function hold(step: Step, validatorIndex: number, agreed: AgreedRate, epoch: number): void {
  const { commission, latest } = agreed;
  const shown = momentAt(step, shownUntil(agreed));
  holdRate(step, validatorIndex, { commission, epoch, floor: latest, shown });
}

/** Slot up to which it surely stood: an account may be as it was. */
function shownUntil({ of, until }: AgreedRate): number {
  return of === "account" ? until - OUTDATED_SLOTS : until;
}

/** So many at once rather come from a fault of the source: further observations must show them too. */
function markMass({ validators }: Ledger, ripe: readonly Change[]): void {
  const fresh = ripe.filter(({ pending }) => pending.massLeft === null);
  if (!isMass(fresh.length, validators.filter(({ listed }) => listed).length)) return;
  for (const { pending } of fresh) pending.massLeft = MASS_OBSERVATIONS;
}

/** No event if searches refute it. */
function confirm(step: Step, panelSize: number, { validatorIndex, validator, pending, agreed }: Change): void {
  const { first, previous, to } = pending;
  const from = validator.inflation?.basisPoints ?? 0;
  if (isRefuted(validator, { after: previous.slot, upTo: first.slot, to: to.basisPoints })) return;
  const confirmedBy = panelSize === 1 || agreed.isAlone ? "observations" : "witnesses";
  recordInflationEvent(step, validatorIndex, { from, to: to.basisPoints, window: { first, previous }, confirmedBy });
  hold(step, validatorIndex, agreed, first.epoch);
}
