import type { AgreedTip, AgreedTips } from "../../agree/tips.ts";
import type { ClosedEpoch, Tip } from "../../entries/entry.ts";
import { DISABLED, getU16, NOT_RECORDED, setU16 } from "../columns.ts";
import { recordMevEvent } from "../events/events.ts";
import type { Ledger } from "../ledger.ts";
import { findClosedToRead, forgetLeaders, hasLed } from "./leaders.ts";
import { hearTip, isBelieved } from "./pending-tip.ts";
import { isMass, MASS_OBSERVATIONS } from "../belief.ts";
import type { EventRecord, MevState, Moment, PendingTip, ValidatorRecord } from "../records.ts";
import { findValidator, type Step } from "../step.ts";
import { trackedEpochs } from "../stake/points.ts";
import { touchPointsFrom } from "../touched.ts";

/*
 * A MEV commission is a fact of a validator and an epoch: what its tip account holds, or that a closed epoch in which it
 * made blocks has none. Each is learned once, in order, and two neighbours that differ are an event.
 */

const CONTROLS_MOST = 20;

/**
 * The tip accounts of the running epoch and the one before that are not known, and whose blocks of the one before must
 * be counted where its account is missing. Of validators that the ledger knows: a list may be made up.
 * @param votes as listed now
 */
export function tipsToRead(
  ledger: Ledger,
  { epoch, votes }: { epoch: number; votes: readonly string[] },
): { tips: Tip[]; controls: Tip[]; closed: ClosedEpoch | null } {
  const epochs = [epoch - 1, epoch].filter((each) => each >= 0);
  const isFirst = ledger.validators.length === 0;
  const tips = votes
    .filter((vote) => isFirst || ledger.validatorIndexes.has(vote))
    .flatMap((vote) => epochs.map((each) => ({ vote, epoch: each })))
    .filter((tip) => !isKnown(ledger, ledger.validatorIndexes.get(tip.vote) ?? -1, tip.epoch));
  const ofClosed = tips.filter((tip) => tip.epoch < epoch);
  const controls = ofClosed.length === 0 ? [] : findControls(ledger, votes, epoch - 1);
  return { tips, controls, closed: findClosedToRead(ledger, ofClosed, epoch - 1) };
}

/** Vote accounts with a tip account in this epoch or the one before. */
export function priorityFeesToRead({ validators }: Ledger, epoch: number): string[] {
  return validators.flatMap(({ vote, listed, mev, mevEpoch }) =>
    listed && typeof mev === "number" && mevEpoch >= epoch - 1 ? [vote] : [],
  );
}

function findControls(ledger: Ledger, votes: readonly string[], epoch: number): Tip[] {
  const column = ledger.mev.get(epoch);
  const isThere = (vote: string) => (column?.[ledger.validatorIndexes.get(vote) ?? -1] ?? DISABLED) < DISABLED;
  return votes
    .filter(isThere)
    .slice(0, CONTROLS_MOST)
    .map((vote) => ({ vote, epoch }));
}

/** Each is learned after the one before. */
function isKnown({ validators }: Ledger, validatorIndex: number, epoch: number): boolean {
  const validator = validators[validatorIndex];
  if (validator === undefined) return false;
  const { mev, mevEpoch, tiplessEpoch } = validator;
  return (mev !== null && epoch <= mevEpoch) || (tiplessEpoch !== null && epoch <= tiplessEpoch);
}

/** After a restart, the commission is the last one of an epoch that does not run again; the others are learned anew. */
export function forgetTips({ ledger, moment }: Step, validatorIndex: number, validator: ValidatorRecord): void {
  const { mev } = ledger;
  const epoch = [...mev.keys()].sort((a, b) => b - a).find((each) => getU16(mev, each, validatorIndex) !== null);
  const value = epoch === undefined ? null : getU16(mev, epoch, validatorIndex);
  validator.mev = value === DISABLED ? "disabled" : value;
  validator.mevEpoch = epoch ?? moment.epoch;
  validator.mevShown = null;
  validator.tiplessEpoch = null;
  validator.pendingTips = new Map();
  forgetLeaders(ledger, validator, moment);
}

/** Epoch after epoch, as a commission is a change from the one before. */
export function foldTips(step: Step, { panelSize, tips }: AgreedTips): void {
  const byEpoch = [...Map.groupBy(tips, ({ epoch }) => epoch)].sort(([a], [b]) => a - b);
  for (const [epoch, own] of byEpoch)
    if (epoch <= step.moment.epoch) foldEpochTips(step, epoch, { panelSize, tips: own });
}

interface Ripe {
  validatorIndex: number;
  validator: ValidatorRecord;
  pending: PendingTip;
  /** Of a change, what it becomes. */
  to: MevState;
}

function foldEpochTips(step: Step, epoch: number, { panelSize, tips }: AgreedTips): void {
  const { ledger, moment } = step;
  const ripe = tips.flatMap((agreed): Ripe[] => {
    const found = hear(step, agreed);
    if (found === null) return [];
    const { validatorIndex, validator, pending } = found;
    const led = hasLed(ledger, validatorIndex, epoch);
    const isOpen = pending.to === "absent" && validator.mev !== null && led === null;
    const isWaiting = isOpen || (epoch === moment.epoch && !isKnown(ledger, validatorIndex, epoch - 1));
    const to = toState(pending, validator, led === true);
    return isWaiting || !isBelieved(pending, { now: moment.time, panelSize, isChange: isChange(validator, to) })
      ? []
      : [{ validatorIndex, validator, pending, to }];
  });
  const changes = ripe.filter(({ validator, to }) => isChange(validator, to)).length;
  const isDoubted = isMass(changes, ledger.validators.filter(({ listed }) => listed).length);
  for (const one of ripe) {
    if (isDoubted && isChange(one.validator, one.to) && one.pending.count <= MASS_OBSERVATIONS) continue;
    one.validator.pendingTips.delete(epoch);
    learn(step, epoch, { ...one, panelSize });
  }
}

function hear({ ledger, moment }: Step, agreed: AgreedTip) {
  const { vote, epoch, says } = agreed;
  const found = findValidator(ledger, vote);
  if (found === null || says.length === 0 || isKnown(ledger, found.validatorIndex, epoch)) return null;
  const { pendingTips } = found.validator;
  const pending = hearTip(pendingTips.get(epoch), agreed, moment);
  pendingTips.set(epoch, pending);
  return { ...found, pending };
}

/** null: no account, which says nothing of one that led no slot, or that never shared tips. */
function toState({ to }: PendingTip, { mev }: ValidatorRecord, hasLed: boolean): MevState {
  if (to !== "absent") return to;
  return hasLed && mev !== null ? "disabled" : null;
}

function isChange({ mev }: ValidatorRecord, to: MevState): boolean {
  return mev !== null && to !== null && mev !== to;
}

function learn(
  step: Step,
  epoch: number,
  { validatorIndex, validator, pending: { first }, to, panelSize }: Ripe & { panelSize: number },
): void {
  if (to === null) {
    validator.tiplessEpoch = epoch;
    return;
  }
  const { ledger, touched } = step;
  const previous = findPrevious(ledger, validator, { epoch, first });
  if (isChange(validator, to) && previous !== null && !isToldAlready(ledger, { validatorIndex, epoch, to })) {
    const confirmedBy = panelSize === 1 ? "account" : "witnesses";
    recordMevEvent(step, validatorIndex, { from: validator.mev, to, epoch, first, previous, confirmedBy });
  }
  Object.assign(validator, { mev: to, mevEpoch: epoch, mevShown: step.moment });
  touched.profiles.add(validatorIndex);
  // Histories begin with the first observed epoch.
  const since = Math.max(epoch, ledger.epochs[0]?.epoch ?? epoch);
  if (!trackedEpochs(ledger).includes(since)) touched.epochs.add(since);
  setU16(ledger.mev, since, validatorIndex, to === "disabled" ? DISABLED : to, NOT_RECORDED);
  touched.commissions.add(validatorIndex);
  touchPointsFrom(step, since);
}

/** By the same epoch before a restart. */
function isToldAlready(
  { events, withdrawn }: Ledger,
  { validatorIndex, epoch, to }: { validatorIndex: number; epoch: number; to: MevState },
): boolean {
  const isSame = (event: EventRecord) =>
    event.validatorIndex === validatorIndex &&
    event.source === "MEV" &&
    event.epoch === epoch &&
    event.to === to &&
    event.confirmed;
  return events.some(isSame) || withdrawn.some(isSame);
}

/** The last observation of the old commission, or of the epoch before. null: what stood before anybody watched. */
function findPrevious(
  { epochs }: Ledger,
  { mevShown }: ValidatorRecord,
  { epoch, first }: { epoch: number; first: Moment },
): Moment | null {
  const before = epochs.findLast((tracked) => tracked.epoch < epoch)?.last ?? null;
  if (mevShown === null || mevShown.time >= first.time) return before;
  return before === null || before.slot < mevShown.slot ? mevShown : before;
}
