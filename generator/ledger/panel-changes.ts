import type { ConfirmedBy } from "../contract/event.ts";
import { getU16, NOT_RECORDED, setU16 } from "./columns.ts";
import { recordInflationEvent } from "./events.ts";
import { agrees } from "./commission.ts";
import type { Commission, Moment, Pending, ValidatorRecord } from "./records.ts";
import { isRefuted } from "./refutations.ts";
import { assignInflation, type Step } from "./step.ts";
import { NODES_DIFFER_SLOTS } from "./slot-objections.ts";
import { firstCertain, newestByMajority, SILENCE_MILLISECONDS, testify, type MajorityWord } from "./testimony.ts";
import { touchGapBefore, touchPointsFrom } from "./touched.ts";
import type { WitnessRate } from "./witness-rate.ts";
import { epochAt, originOf, type Panel } from "./witnesses.ts";

export interface Hearing {
  step: Step;
  panel: Panel;
  /** Ordinals of those that failed to answer. */
  silent: Set<number>;
  /** Validators to decide now, by ordinal. */
  heard: Set<number>;
}

export function noteHeard({ heard }: Hearing, ordinal: number, validator: ValidatorRecord): void {
  if (validator.pendingInflation !== null || !validator.inflationSettled) heard.add(ordinal);
}

/**
 * What a witness says, of the held rate or of another one. A percent that the held rate may be speaks for it, and for
 * neither if the pending rate may be it too.
 */
export function hearRate(
  { step }: Pick<Hearing, "step">,
  validator: ValidatorRecord,
  { witness, commission, moment, of }: WitnessRate & { witness: number },
): void {
  const { inflation } = validator;
  if (inflation === null || isOfThePast(validator, moment)) return;
  const isHeld = isShownBy(inflation, commission);
  const isAsExact = commission.exact === inflation.exact;
  if (isHeld && isAsExact) showOld(validator, witness, moment);
  const isAnswered = isHeld && (isAsExact || inflation.exact);
  const pending =
    validator.pendingInflation ?? (isAnswered ? null : openPending(step, validator, { to: commission, moment }));
  if (pending === null || (isHeld && !commission.exact && agrees(pending.to, commission))) return;
  const value = isHeld && !commission.exact ? inflation : commission;
  testify(pending.testimony, witness, { value, moment, of, isSame });
}

/** Percents are rounded down or up. */
export function isShownBy(held: Commission, commission: Commission): boolean {
  return held.exact === commission.exact ? isSame(held, commission) : agrees(held, commission);
}

interface Change {
  ordinal: number;
  validator: ValidatorRecord;
  majority: MajorityWord<Commission>;
}

export function openPending(
  step: Step,
  validator: ValidatorRecord,
  { to, moment }: { to: Commission; moment: Moment },
): Pending<Commission> {
  const pending: Pending<Commission> = {
    to,
    first: moment,
    previous: validator.inflationShown,
    endpoint: originOf(step.endpoint),
    needed: 0,
    mass: false,
    testimony: new Map(),
  };
  validator.pendingInflation = pending;
  return pending;
}

/** What was taken for an event is disputed: whoever showed it goes on saying so. */
export function reopenPending(
  step: Step,
  validator: ValidatorRecord,
  { to, first, shownBy }: { to: Commission; first: Moment; shownBy: ValidatorRecord["inflationShownBy"] },
): void {
  const { testimony } = openPending(step, validator, { to, moment: first });
  for (const [witness, newest] of shownBy.entries())
    if (newest != null) testimony.set(witness, { value: to, first, newest, of: "list" });
}

export function showOld(validator: ValidatorRecord, witness: number, moment: Moment): void {
  const before = validator.inflationShownBy[witness] ?? null;
  if (before === null || before.slot < moment.slot) validator.inflationShownBy[witness] = moment;
}

/** Of two witnesses one decides while the other is silent. */
export function isSettling(
  { moment }: Step,
  { panel: { witnesses, majority }, silent }: { panel: Panel; silent: ReadonlySet<number> },
  validator: ValidatorRecord,
): boolean {
  const shown = witnesses.filter((witness) => validator.inflationShownBy[witness] != null);
  const waited = Date.parse(moment.time) - Date.parse(validator.inflationShown.time);
  const isOtherSilent = witnesses.some((witness) => silent.has(witness) && !shown.includes(witness));
  const isAlone =
    witnesses.length === 2 && isOtherSilent && validator.pendingInflation === null && waited >= SILENCE_MILLISECONDS;
  return shown.length >= (isAlone ? 1 : majority);
}

/** From now on another value is a change, not a correction. */
export function settle(panel: Panel, validator: ValidatorRecord): void {
  const shown = panel.witnesses.flatMap((witness) => validator.inflationShownBy[witness] ?? []);
  validator.inflationSettled = true;
  validator.inflationFloor = Math.max(validator.inflationFloor, ...shown.map(({ slot }) => slot));
  validator.inflationShown = newestByMajority(shown, panel) ?? shown.at(0) ?? validator.inflationShown;
}

/** No event if searches refute it. */
export function confirmByPanel(
  step: Step,
  panel: Panel,
  { ordinal, validator, pending, majority }: Change & { pending: Pending<Commission> },
): void {
  const certain = firstCertain(majority, panel);
  const seen = majority.words.map(({ first }) => first.time);
  const isOpener = pending.to.basisPoints === majority.value.basisPoints;
  const [time = certain.time] = [...seen, ...(isOpener ? [pending.first.time] : [])].sort();
  const first = { ...certain, time };
  const previous = findPrevious(panel, validator, first);
  const from = validator.inflation?.basisPoints ?? 0;
  const to = majority.value.basisPoints;
  if (isRefuted(validator, { after: previous.slot, upTo: first.slot, to })) return;
  const confirmedBy = toConfirmedBy(majority);
  recordInflationEvent(step, ordinal, { from, to, pending: { ...pending, first, previous }, confirmedBy });
  take(step, panel, { ordinal, validator, majority }, first.epoch);
}

/** Makes a percent exact, or corrects a first rate on which witnesses never agreed. */
export function refineByPanel(step: Step, panel: Panel, change: Change): void {
  const { ordinal, validator, majority } = change;
  const { inflation } = validator;
  if (!majority.value.exact && inflation?.exact === true) return;
  const isCorrected = inflation !== null && !agrees(inflation, majority.value);
  if (isCorrected) {
    // Nobody knows what stood before.
    validator.inflationKnownFrom = null;
    for (const { epoch } of step.ledger.epochs)
      if (epoch < step.moment.epoch && getU16(step.ledger.inflation, epoch, ordinal) !== null)
        setU16(step.ledger.inflation, epoch, ordinal, NOT_RECORDED, NOT_RECORDED);
    touchPointsFrom(step, validator.firstEpoch);
  }
  const isSince = validator.inflationSettled || isCorrected;
  take(step, panel, change, isSince ? step.moment.epoch : validator.inflationShown.epoch);
}

/** One witness alone says it in several observations. */
function toConfirmedBy({ words }: MajorityWord<Commission>): ConfirmedBy {
  return words.length === 1 ? "observations" : "witnesses";
}

function findPrevious(panel: Panel, validator: ValidatorRecord, { slot }: Moment): Moment {
  const shown = panel.witnesses.flatMap((witness) => validator.inflationShownBy[witness] ?? []);
  const before = shown.filter((moment) => moment.slot < slot);
  return newestByMajority(before, panel) ?? validator.inflationShown;
}

function take(step: Step, panel: Panel, { ordinal, validator, majority }: Change, epoch: number): void {
  const { value, words } = majority;
  const shownBy: (Moment | null)[] = [];
  for (const [witness, word] of validator.pendingInflation?.testimony ?? [])
    if (words.some((one) => one === word)) shownBy[witness] = word.newest;
  const newest = words.map((word) => word.newest);
  holdInflation(step, ordinal, {
    commission: value,
    epoch,
    floor: Math.max(...newest.map(({ slot }) => slot)),
    shown: newestByMajority(newest, panel) ?? words[0].newest,
    shownBy,
  });
}

/**
 * @param held.floor readings up to this slot are of the past
 * @param held.shownBy by witness ordinal
 */
export function holdInflation(
  step: Step,
  ordinal: number,
  held: { commission: Commission; epoch: number; floor: number; shown: Moment; shownBy: (Moment | null)[] },
): void {
  const validator = step.ledger.validators[ordinal];
  if (validator === undefined) return;
  const { commission, epoch, floor, shown, shownBy } = held;
  validator.pendingInflation = null;
  validator.inflationShownBy = shownBy;
  validator.inflationSettled = true;
  validator.inflationFloor = floor;
  validator.inflationShown = shown;
  assignInflation(step, ordinal, commission);
  for (const tracked of step.ledger.epochs) {
    if (tracked.epoch >= epoch)
      setU16(step.ledger.inflation, tracked.epoch, ordinal, commission.basisPoints, NOT_RECORDED);
  }
  step.touched.commissions.add(ordinal);
  step.touched.profiles.add(ordinal);
  touchPointsFrom(step, epoch);
  touchGapBefore(step, ordinal, epoch);
}

export function assume(
  step: Step,
  ordinal: number,
  validator: ValidatorRecord,
  { commission, moment }: { commission: Commission; moment: Moment },
): void {
  assignInflation(step, ordinal, commission);
  // Healthy witnesses may be this far apart.
  validator.inflationShown = { ...moment, slot: moment.slot - 2 * NODES_DIFFER_SLOTS - 1 };
  step.touched.commissions.add(ordinal);
}

export function isOfThePast({ inflationFloor, inflationShown }: ValidatorRecord, { slot }: Moment): boolean {
  return slot <= Math.max(inflationFloor, inflationShown.slot);
}

/** For exact commissions. */
export function isSame(one: Commission, other: Commission): boolean {
  return one.basisPoints === other.basisPoints;
}

export function momentAt({ ledger, moment: { time } }: Step, slot: number): Moment {
  return { time, slot, epoch: epochAt(ledger, slot) };
}
