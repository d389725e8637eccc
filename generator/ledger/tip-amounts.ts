import type { PanelTipAmounts, SnapshotEntry } from "../entries/entry.ts";
import type { AmountWord, Ledger, TipAmountRecord } from "./ledger.ts";
import type { TipAmount } from "./mev-costs.ts";
import type { EventRecord } from "./records.ts";
import { findValidator, type Step } from "./step.ts";
import { findMajority, hasSilence, noteSilence, testify } from "./testimony.ts";
import { type Panel, toPanel, witnessOf } from "./witnesses.ts";

/*
 * Tips of the validators and epochs of MEV changes, as the panel tells them. Until the merkle root is set they only
 * grow, and each witness reads them at a slot of its own: what a majority reaches is a lower bound, which no minority
 * can raise. With the root a majority must tell the same amount, and it is final.
 */

/** The root comes within an epoch, and accounts may be closed after ten. */
const ASKED_EPOCHS = 5;

/** Length of `YYYY-MM-DDTHH`. */
const HOUR_LENGTH = 13;

/**
 * Tip accounts of MEV changes without a settled cost: each snapshot until a majority has told an amount, then once a
 * UTC hour, as every growth puts documents anew.
 * @param now ISO 8601 in UTC
 */
export function tipAmountsToRead(
  ledger: Ledger,
  { epoch: running, now }: { epoch: number; now: string },
): { vote: string; epoch: number }[] {
  const wanted = new Map<string, { vote: string; epoch: number }>();
  for (const event of ledger.events) {
    const { ordinal, effectiveEpoch: epoch } = event;
    const vote = ledger.validators[ordinal]?.vote;
    if (vote === undefined || !hasTips(event) || epoch > running || epoch < running - ASKED_EPOCHS) continue;
    const record = findRecord(ledger, { epoch, ordinal });
    if (record?.isFinal === true || (record?.heldAt ?? "").slice(0, HOUR_LENGTH) === now.slice(0, HOUR_LENGTH))
      continue;
    wanted.set(`${vote} ${epoch}`, { vote, epoch });
  }
  return [...wanted.values()];
}

/** Disabled means no tips by this vendor, so that no amount tells what the change costs. */
function hasTips({ source, from, to }: EventRecord): boolean {
  return source === "MEV" && typeof from === "number" && typeof to === "number";
}

/** What is held of a validator's tips in an epoch; null: nothing yet. */
export function findTipAmount(ledger: Ledger, place: { epoch: number; ordinal: number }): TipAmount | null {
  return findRecord(ledger, place)?.held ?? null;
}

function findRecord({ tipAmounts }: Ledger, { epoch, ordinal }: { epoch: number; ordinal: number }) {
  return tipAmounts.get(epoch)?.get(ordinal);
}

/** Folds every witness's amounts. */
export function foldTipAmounts(step: Step, { tipAmounts }: Pick<SnapshotEntry, "tipAmounts">): void {
  if (tipAmounts.state !== "ok") return;
  const { tips, answers } = tipAmounts.value;
  const panel = toPanel(step.ledger, answers);
  for (const [index, { vote, epoch }] of tips.entries()) {
    const ordinal = findValidator(step.ledger, vote)?.ordinal;
    if (ordinal === undefined || epoch > step.moment.epoch) continue;
    const record = findRecord(step.ledger, { epoch, ordinal }) ?? createRecord(step.ledger, { epoch, ordinal });
    if (record.isFinal) continue;
    hear(step, record, { answers, index, epoch });
    decide(step, record, { panel, ordinal });
  }
}

function createRecord({ tipAmounts }: Ledger, { epoch, ordinal }: { epoch: number; ordinal: number }) {
  const ofEpoch = tipAmounts.get(epoch) ?? new Map<number, TipAmountRecord>();
  tipAmounts.set(epoch, ofEpoch);
  const record: TipAmountRecord = { held: null, heldAt: null, isFinal: false, testimony: new Map() };
  ofEpoch.set(ordinal, record);
  return record;
}

function hear(
  step: Step,
  { testimony }: TipAmountRecord,
  { answers, index, epoch }: { answers: PanelTipAmounts["answers"]; index: number; epoch: number },
): void {
  for (const answer of answers) {
    const witness = witnessOf(step.ledger, answer.endpoint);
    if (answer.state === "failed") {
      noteSilence(testimony, witness, step.moment);
      continue;
    }
    const value = toWord(answer.amounts[index] ?? null, epoch < step.moment.epoch);
    const moment = { ...step.moment, slot: answer.slot };
    if (value !== null) testify(testimony, witness, { value, moment, of: "account", isSame });
  }
}

/** null: unreadable, or impossible while its epoch runs. */
function toWord(told: [bigint | null, boolean] | null, isOver: boolean): AmountWord | null {
  if (told === null) return isOver ? "absent" : null;
  const [lamports, isSettled] = told;
  return lamports === null || (isSettled && !isOver) ? null : { lamports, isSettled };
}

/** A closed account tells no more: what is held stays. */
function decide(step: Step, record: TipAmountRecord, { panel, ordinal }: { panel: Panel; ordinal: number }): void {
  const { testimony } = record;
  const isOneSilent = hasSilence(testimony, panel, step.moment.time);
  const last = findMajority(testimony, panel, { isSame, isOneSilent })?.value;
  const next = last === undefined ? findReached(record, panel, isOneSilent) : last === "absent" ? null : last;
  if (last !== undefined) Object.assign(record, { isFinal: true, testimony: new Map() });
  if (next === null) return;
  record.heldAt = step.moment.time;
  if (record.held?.lamports === next.lamports && record.held.isSettled === next.isSettled) return;
  record.held = next;
  step.touched.events.add(ordinal);
}

/** Only what cannot change any more is told alike. */
function isSame(one: AmountWord, other: AmountWord): boolean {
  if (one === "absent" || other === "absent") return one === other;
  return one.isSettled && other.isSettled && one.lamports === other.lamports;
}

/** The most that a majority reaches; never less than before. */
function findReached(
  { held, testimony }: TipAmountRecord,
  { witnesses, majority }: Panel,
  isOneSilent: boolean,
): TipAmount | null {
  const told = witnesses.flatMap((witness) => {
    const value = testimony.get(witness)?.value ?? "absent";
    return value === "absent" ? [] : [value.lamports];
  });
  const enough = witnesses.length === 2 && told.length === 1 && isOneSilent ? 1 : majority;
  const reached = told.sort((a, b) => (a > b ? -1 : a < b ? 1 : 0))[enough - 1];
  if (reached === undefined) return null;
  return { lamports: held !== null && held.lamports > reached ? held.lamports : reached, isSettled: false };
}
