import type { AgreedTip, AgreedTips } from "../../agree/tips.ts";
import type { ClosedEpoch, Tip } from "../../entries/entry.ts";
import type { Ledger } from "../ledger.ts";
import { findClosedToRead, forgetLeaders, hasLed } from "./leaders.ts";
import { nextPendingTip, isTipBelieved } from "./pending-tip.ts";
import { isMass, MASS_OBSERVATIONS, waitsForOther } from "../belief.ts";
import type { MevState, Moment, PendingTip, TipRun, ValidatorRecord } from "../records.ts";
import { findValidator, type Step } from "../step.ts";
import { isTipKnown, newestTip, observedMev } from "./timeline.ts";
import { touchHistory } from "../touched.ts";
import { trackEpoch } from "../tracked-epochs.ts";

/*
 * A MEV commission is a fact of a validator and an epoch: what its tip account holds, or that a
 * closed epoch in which it made blocks has no tip account. Each fact is learned once, in order of
 * epochs; two neighbours that differ are an event.
 */

const CONTROLS_MOST = 20;

/**
 * What a snapshot must read: unknown tip accounts of the running and the previous epoch, and whose
 * blocks of the previous epoch to count where its account is missing. Only for validators that the
 * ledger knows, because a list may hold invented ones.
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
    .filter(({ vote, epoch: each }) => {
      const found = findValidator(ledger, vote);
      return found === null || !isTipKnown(found.validator, each);
    });
  const ofClosed = tips.filter((tip) => tip.epoch < epoch);
  const controls = ofClosed.length === 0 ? [] : findControls(ledger, votes, epoch - 1);
  return { tips, controls, closed: findClosedToRead(ledger, ofClosed, epoch - 1) };
}

/** Vote accounts with a tip account in this epoch or the one before. */
export function priorityFeesToRead({ validators }: Ledger, epoch: number): string[] {
  return validators.flatMap((validator) => {
    const newest = newestTip(validator);
    const isOfLate = typeof newest?.rate === "number" && newest.until >= epoch - 1;
    return validator.listed && isOfLate ? [validator.vote] : [];
  });
}

function findControls(ledger: Ledger, votes: readonly string[], epoch: number): Tip[] {
  const isThere = (vote: string) => {
    const found = findValidator(ledger, vote);
    return found !== null && typeof observedMev(found.validator, epoch) === "number";
  };
  return votes
    .filter(isThere)
    .slice(0, CONTROLS_MOST)
    .map((vote) => ({ vote, epoch }));
}

/**
 * Forgets epochs after a restart, as those that run again are learned anew. Changes in them stay,
 * because they were observed.
 */
export function forgetTips({ ledger, moment }: Step, validator: ValidatorRecord): void {
  const { tips } = validator;
  tips.pending = new Map();
  for (const run of tips.runs)
    Object.assign(run, { until: Math.min(run.until, moment.epoch - 1), learned: null });
  tips.knownTo = newestTip(validator)?.until ?? null;
  forgetLeaders(ledger, validator, moment);
}

/** Folds epoch by epoch, because a change compares with the epoch before. */
export function foldTips(step: Step, { panelSize, tips }: AgreedTips): void {
  const byEpoch = [...Map.groupBy(tips, ({ epoch }) => epoch)].sort(([a], [b]) => a - b);
  for (const [epoch, own] of byEpoch)
    if (epoch <= step.moment.epoch) foldEpochTips(step, epoch, { panelSize, tips: own });
}

interface Ripe {
  validatorIndex: number;
  validator: ValidatorRecord;
  pending: PendingTip;
  /** What the commission becomes. */
  to: MevState;
}

function foldEpochTips(step: Step, epoch: number, { panelSize, tips }: AgreedTips): void {
  const { ledger, moment } = step;
  const ripe = tips.flatMap((agreed): Ripe[] => {
    const found = foldTip(step, agreed);
    if (found === null) return [];
    const { validatorIndex, validator, pending } = found;
    const led = hasLed(ledger, validatorIndex, epoch);
    const isOpen = pending.to === "absent" && newestTip(validator) !== null && led === null;
    const isWaiting =
      isOpen ||
      (epoch === moment.epoch && !isTipKnown(validator, epoch - 1)) ||
      waitsForOther(ledger, agreed.isAlone, moment.time);
    const to = toState(pending, validator, led === true);
    return isWaiting ||
      !isTipBelieved(pending, { now: moment.time, panelSize, isChange: isChange(validator, to) })
      ? []
      : [{ validatorIndex, validator, pending, to }];
  });
  const changes = ripe.filter(({ validator, to }) => isChange(validator, to)).length;
  const isMassChange = isMass(changes, ledger.validators.filter(({ listed }) => listed).length);
  for (const one of ripe) {
    if (isMassChange && isChange(one.validator, one.to) && one.pending.count <= MASS_OBSERVATIONS)
      continue;
    one.validator.tips.pending.delete(epoch);
    learn(step, epoch, { ...one, panelSize });
  }
}

function foldTip({ ledger, moment }: Step, agreed: AgreedTip) {
  const { vote, epoch, answers } = agreed;
  const found = findValidator(ledger, vote);
  if (found === null || answers.length === 0 || isTipKnown(found.validator, epoch)) return null;
  const { tips } = found.validator;
  const pending = nextPendingTip(tips.pending.get(epoch), agreed, moment);
  tips.pending.set(epoch, pending);
  return { ...found, pending };
}

/** null: no account, which means nothing if the validator led no slot or never shared tips. */
function toState({ to }: PendingTip, validator: ValidatorRecord, hasLed: boolean): MevState {
  if (to !== "absent") return to;
  return hasLed && newestTip(validator) !== null ? "disabled" : null;
}

function isChange(validator: ValidatorRecord, to: MevState): boolean {
  const newest = newestTip(validator);
  return newest !== null && to !== null && newest.rate !== to;
}

function learn(
  step: Step,
  epoch: number,
  { validatorIndex, validator, pending: { first }, to, panelSize }: Ripe & { panelSize: number },
): void {
  const { tips } = validator;
  tips.knownTo = Math.max(tips.knownTo ?? epoch, epoch);
  if (to === null) return;
  const { ledger, moment, touched } = step;
  // Histories begin with the first observed epoch.
  const since = Math.max(epoch, ledger.epochs[0]?.epoch ?? epoch);
  const newest = newestTip(validator);
  const isSame = (run: TipRun) =>
    run.rate === to && (run.from === since || (run === newest && since <= run.until + 1));
  // This epoch before a restart counts too: its change is the same.
  const same = tips.runs.findLast(isSame);
  if (same !== undefined) {
    same.until = Math.max(same.until, since);
    same.learned = moment;
  } else {
    const previous = isChange(validator, to)
      ? findPrevious(ledger, newest, { epoch, first })
      : null;
    const by = panelSize === 1 ? ("account" as const) : ("witnesses" as const);
    const believed =
      previous === null ? null : { at: moment.time, by, previous, from: newest?.rate ?? null };
    tips.runs.push({ rate: to, from: since, until: since, first, learned: moment, believed });
  }
  if (trackEpoch(ledger, since)) touched.epochs.add(since);
  touched.events.add(validatorIndex);
  touchHistory(step, validatorIndex, since);
}

/** The last observation of the old rate, or of the epoch before; null: nobody watched before. */
function findPrevious(
  { epochs }: Ledger,
  newest: TipRun | null,
  { epoch, first }: { epoch: number; first: Moment },
): Moment | null {
  const before = epochs.findLast((tracked) => tracked.epoch < epoch)?.last ?? null;
  const learned = newest?.learned ?? null;
  if (learned === null || learned.time >= first.time) return before;
  return before === null || before.slot < learned.slot ? learned : before;
}
