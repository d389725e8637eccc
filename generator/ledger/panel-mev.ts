import type { ConfirmedBy } from "../contract/event.ts";
import type { ConfirmEntry, TipsAnswer } from "../entries/entry.ts";
import { recordMevEvent } from "./events.ts";
import type { Ledger } from "./ledger.ts";
import { isUndecided } from "./mev-evidence.ts";
import { holdMev, type ListedMev, settleMev, showMev } from "./mev-held.ts";
import { findTip, heardEpochs, hearTips } from "./mev-tips.ts";
import { dropPending, isSecondReading, markMass } from "./pending.ts";
import type { Moment, Pending, ValidatorRecord } from "./records.ts";
import type { Step } from "./step.ts";
import { originOf, type Panel, toPanel } from "./witnesses.ts";

/*
 * MEV by a panel. A list is a reason to ask; the tip accounts of the running epoch and the one before decide, by a
 * majority. Their commission is fixed, so they are its history by epoch.
 */

interface TipRecord {
  epoch: number;
  mevBasisPoints: number;
}

/** `unsettled`: also those of first commissions that are not settled. */
export function tipsToRead(ledger: Ledger, { unsettled }: { unsettled: boolean }): { vote: string; epoch: number }[] {
  const running = ledger.acceptance.newest?.epoch ?? 0;
  return ledger.validators.flatMap(({ vote, listed, mev, mevSettled, pendingMev }) => {
    const isAwaited = pendingMev !== null || (unsettled && listed && typeof mev === "number" && !mevSettled);
    if (!isAwaited) return [];
    const first = Math.max(0, Math.min(pendingMev?.first.epoch ?? running, running) - 1);
    return Array.from({ length: running - first + 1 }, (_, index) => ({ vote, epoch: first + index }));
  });
}

/** Folds a latest list: first commissions and reasons to ask. */
export function foldPanelMev(step: Step, panel: Panel, told: readonly ListedMev[]): void {
  const heard = new Set<number>();
  for (const one of told) if (hearListed(step, one)) heard.add(one.ordinal);
  decideMev(step, panel, heard);
}

/** Folds all witnesses' readings of the awaited tip accounts. */
export function foldPanelTips(step: Step, entry: ConfirmEntry): void {
  decideMev(step, toPanel(step.ledger, entry.answers), hearTips(step, entry.tips, toTipsAnswers(entry)));
}

function toTipsAnswers({ answers }: ConfirmEntry): TipsAnswer[] {
  return answers.flatMap(({ endpoint, tips }) => (tips === null ? [] : [{ endpoint, ...tips }]));
}

/** Returns whether it counts towards a pending mass change. */
function hearListed(step: Step, { ordinal, validator, mevBasisPoints, epoch: dated }: ListedMev): boolean {
  const epoch = dated ?? step.moment.epoch;
  if (dated !== null && dated < validator.mevEpoch && validator.mev !== null) return false;
  const { pendingMev: pending } = validator;
  if (!validator.mevSettled) validator.mev = mevBasisPoints;
  if (validator.mev === mevBasisPoints) {
    // Keeps asking if a witness reads otherwise.
    if (pending !== null && !isReadByAny(pending)) dropPending(step.ledger, validator, "pendingMev");
    showMev(step, ordinal, validator, epoch);
    validator.mevShown = step.moment;
    return false;
  }
  if ((validator.mevSettledEpoch ?? -1) >= epoch) return false;
  if (pending?.to !== mevBasisPoints) {
    dropPending(step.ledger, validator, "pendingMev");
    open(step, validator, { mevBasisPoints, epoch });
    return false;
  }
  if (!pending.mass || !isSecondReading(step.moment, pending)) return false;
  pending.needed -= 1;
  return true;
}

function isReadByAny({ testimony, to }: Pending<number>): boolean {
  return [...testimony.values()].some(({ value }) => value === to);
}

function open(step: Step, validator: ValidatorRecord, { mevBasisPoints, epoch }: TipRecord): Pending<number> {
  validator.pendingMev = {
    to: mevBasisPoints,
    first: { ...step.moment, epoch },
    previous: validator.mevShown ?? step.moment,
    endpoint: originOf(step.endpoint),
    needed: 0,
    mass: false,
    testimony: new Map(),
  };
  return validator.pendingMev;
}

/** Decides about the validators heard of, by ordinal. */
export function decideMev(step: Step, panel: Panel, heard: ReadonlySet<number>): void {
  const changed = [...heard].flatMap((ordinal) => {
    const validator = step.ledger.validators[ordinal];
    if (validator === undefined) return [];
    const records = weigh(step, panel, validator, ordinal);
    const pending = awaitTips(step, panel, validator, records);
    return pending === null || records.length === 0 ? [] : [{ ordinal, validator, records, pending }];
  });
  markMass(
    step.ledger,
    changed.map(({ pending }) => pending),
  );
  const confirmedBy = panel.witnesses.length === 1 ? "account" : "witnesses";
  for (const { ordinal, validator, records, pending } of changed) {
    if (pending.mass && pending.needed > 0) continue;
    validator.pendingMev = null;
    for (const record of records) confirm(step, ordinal, validator, { record, pending, confirmedBy });
  }
}

/** From the first changed tip account on; settles those before. */
function weigh(step: Step, panel: Panel, validator: ValidatorRecord, ordinal: number): TipRecord[] {
  if (!validator.mevSettled) {
    const newest = findNewest(step, panel, validator);
    if (newest !== null) holdMev(step, ordinal, validator, newest);
    return [];
  }
  const records = readRecords(step, panel, validator);
  const changed = records.findIndex(({ mevBasisPoints }) => mevBasisPoints !== validator.mev);
  const same = changed === -1 ? records : records.slice(0, changed);
  for (const { epoch } of same) settleMev(validator, epoch);
  return changed === -1 ? [] : records.slice(changed);
}

/** For a validator without a settled commission. */
function findNewest(step: Step, panel: Panel, validator: ValidatorRecord): TipRecord | null {
  for (const epoch of heardEpochs(validator).reverse()) {
    const tip = findTip(step, panel, validator, epoch);
    if (typeof tip === "number") return { epoch, mevBasisPoints: tip };
  }
  return null;
}

/** After the settled epoch, up to the first undecided one. */
function readRecords(step: Step, panel: Panel, validator: ValidatorRecord): TipRecord[] {
  const records: TipRecord[] = [];
  for (const epoch of heardEpochs(validator)) {
    if (epoch <= (validator.mevSettledEpoch ?? -1)) continue;
    const tip = findTip(step, panel, validator, epoch);
    if (tip === null) break;
    if (typeof tip === "number") records.push({ epoch, mevBasisPoints: tip });
    // If it was disabled then, a later commission is a change from that.
    else if (epoch < step.moment.epoch && isUndecided(step.ledger, validator, epoch)) break;
  }
  return records;
}

/** The pending change with each witness's reading; null: none. */
function awaitTips(
  step: Step,
  panel: Panel,
  validator: ValidatorRecord,
  records: readonly TipRecord[],
): Pending<number> | null {
  const newest = records.at(-1);
  if (newest === undefined && isDenied(step, panel, validator)) dropPending(step.ledger, validator, "pendingMev");
  const pending = validator.pendingMev ?? (newest === undefined ? null : open(step, validator, newest));
  if (pending === null) return null;
  for (const epoch of heardEpochs(validator)) {
    for (const [witness, word] of validator.tipWords.get(epoch) ?? [])
      if (typeof word.value === "number") pending.testimony.set(witness, { ...word, value: word.value });
  }
  return pending;
}

/** Whether the list was wrong or showed the past. */
function isDenied(step: Step, panel: Panel, validator: ValidatorRecord): boolean {
  const running = step.moment.epoch;
  const settled = validator.mevSettledEpoch ?? -1;
  return settled >= running || (settled === running - 1 && findTip(step, panel, validator, running) === "absent");
}

/** Records an event, unless the account repeats the commission before it. */
function confirm(
  step: Step,
  ordinal: number,
  validator: ValidatorRecord,
  { record, pending, confirmedBy }: { record: TipRecord; pending: Pending<number>; confirmedBy: ConfirmedBy },
): void {
  const { epoch, mevBasisPoints } = record;
  if (mevBasisPoints !== validator.mev) {
    const isFirst = pending.to === mevBasisPoints && pending.first.epoch >= epoch;
    const first = isFirst ? pending.first : step.moment;
    const previous = findPrevious(step.ledger, validator, epoch) ?? first;
    recordMevEvent(step, ordinal, { from: validator.mev, to: mevBasisPoints, epoch, first, previous, confirmedBy });
    validator.mevChangedEpoch = epoch;
  }
  holdMev(step, ordinal, validator, record);
}

/** Lists lag: one of the same epoch with the old commission proves nothing. */
function findPrevious({ epochs }: Ledger, { mevShown }: ValidatorRecord, epoch: number): Moment | null {
  if (mevShown === null || mevShown.epoch < epoch) return mevShown;
  return epochs.findLast((tracked) => tracked.epoch < epoch)?.last ?? mevShown;
}
