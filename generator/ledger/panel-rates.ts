import type { Subject } from "./acceptance.ts";
import { agrees, isWhole, toCommission, toStoredCommission } from "./commission.ts";
import type { AccountsAnswer, CheckEntry, CheckRow, PanelConfirmEntry, PanelRow, SnapshotEntry } from "./entry.ts";
import { carryForward } from "./inflation.ts";
import { confirmByPanel, isSettling, openPending, refineByPanel, settle, showOld } from "./panel-changes.ts";
import type { Ledger } from "./ledger.ts";
import { expectSlot, NODES_DIFFER_SLOTS } from "./pace.ts";
import { dropPending, isSecondReading, markMass } from "./pending.ts";
import type { Commission, Moment, Pending, ValidatorRecord } from "./records.ts";
import { assignInflation, findValidator, type Step } from "./step.ts";
import {
  endSilence,
  findMajority,
  hasSilence,
  noteAbsence,
  noteSilence,
  testify,
  type MajorityWord,
} from "./testimony.ts";
import { epochAt, findClusterSlot, isInPlace, toPanel, witnessOf, type Panel } from "./witnesses.ts";

/*
 * Inflation commissions by a panel of witnesses (design §4). What a list shows is a reason to ask; the vote accounts, as a
 * majority of the witnesses read them, decide. Where accounts cannot be read, lists that were accepted stand in for them.
 */

/** What an answer about accounts says of each vote account asked for; null: nothing readable, "absent": there is none. */
interface AccountsReading {
  witness: number;
  slot: number;
  rates: (Commission | "absent" | null)[];
}

/** What one entry of a panel says, to whom it may concern. */
interface Hearing {
  step: Step;
  panel: Panel;
  /** Who of it could not be asked. */
  silent: Set<number>;
  /** Validators whose testimony changed, by ordinal. */
  heard: Set<number>;
}

/** The rates of an observation: the accounts by all witnesses, where it has them, and the list by one. */
export function foldPanelRates(
  step: Step,
  entry: CheckEntry | SnapshotEntry,
  { panel, witness, isAccepted }: Subject & { isAccepted: boolean },
): void {
  const silent = findSilent(step, entry.panel ?? []);
  const hearing: Hearing = { step, panel, silent, heard: new Set() };
  if (entry.kind === "snapshot" && entry.accounts !== undefined)
    hearAccounts(
      hearing,
      entry.votes.map(({ vote }) => vote),
      entry.accounts,
    );
  for (const row of entry.votes) hearRow(hearing, row, { witness, isAccepted });
  hearMissing(step, entry, witness);
  decide(hearing);
  if (!isAccepted) return;
  for (const { vote } of entry.votes) {
    const found = findValidator(step.ledger, vote);
    if (found !== null) carryForward(step, found.ordinal, found.validator);
  }
}

/** The accounts of what was pending, by all witnesses. */
export function foldPanelConfirm(step: Step, entry: PanelConfirmEntry): void {
  const panel = toPanel(step.ledger, entry.answers);
  const hearing: Hearing = { step, panel, silent: new Set(), heard: new Set() };
  hearAccounts(hearing, entry.votes, entry.answers);
  decide(hearing);
}

function hearAccounts(hearing: Hearing, votes: readonly string[], answers: readonly AccountsAnswer[]): void {
  const { step, silent, heard } = hearing;
  const readings = toReadings(step, answers);
  const answered: number[] = [];
  for (const { endpoint, state } of answers) {
    const witness = witnessOf(step.ledger, endpoint);
    if (state === "failed") silent.add(witness);
    else answered.push(witness);
  }
  for (const [index, vote] of votes.entries()) {
    const found = findValidator(step.ledger, vote);
    if (found === null) continue;
    const { ordinal, validator } = found;
    if (validator.pendingInflation !== null)
      for (const witness of answered) endSilence(validator.pendingInflation.testimony, witness);
    if (validator.inflation === null) assumeFirst(hearing, { ordinal, validator, readings, index });
    for (const { witness, slot, rates } of readings) {
      const rate = toKnown(rates[index]);
      if (rate !== null) hearAccount(step, validator, { witness, rate, moment: momentAt(step, slot) });
    }
    noteWordless(hearing, validator, { readings, index });
    heard.add(ordinal);
  }
}

/** Who has no rate to tell of: because it could not be asked, or because to it there is no such account. */
function noteWordless(
  { step, silent }: Hearing,
  { pendingInflation: pending }: ValidatorRecord,
  { readings, index }: { readings: readonly AccountsReading[]; index: number },
): void {
  if (pending === null) return;
  for (const witness of silent) noteSilence(pending.testimony, witness, step.moment);
  for (const { witness, rates, slot } of readings)
    if (rates[index] === "absent") noteAbsence(pending.testimony, witness, momentAt(step, slot));
}

function toKnown(rate: AccountsReading["rates"][number] | undefined): Commission | null {
  return rate === undefined || rate === "absent" ? null : rate;
}

function findSilent({ ledger }: Step, asked: readonly PanelRow[]): Set<number> {
  return new Set(asked.flatMap(({ endpoint, slot }) => (slot === null ? [witnessOf(ledger, endpoint)] : [])));
}

/** The answers of witnesses that are where the cluster is, and not before what they said last. */
function toReadings({ ledger, moment }: Step, answers: readonly AccountsAnswer[]): AccountsReading[] {
  const told = answers.filter((answer) => answer.state === "ok");
  const slots = told.map(({ slot }) => slot);
  const clusterSlot = findClusterSlot(ledger, slots, moment.time);
  return told.flatMap(({ endpoint, slot, rows }) => {
    const witness = witnessOf(ledger, endpoint);
    const record = ledger.witnesses[witness];
    if (record === undefined || slot < record.accountsSlot || !isInPlace(slot, clusterSlot)) return [];
    if (clusterSlot === null && isBeyond(ledger, slot, moment.time)) return [];
    record.accountsSlot = slot;
    const rates = rows.map((row) =>
      row === null ? ("absent" as const) : toStoredCommission({ basisPoints: row[0], percent: row[1] }),
    );
    return [{ witness, slot, rates }];
  });
}

/** Of one witness alone: a slot that the cluster cannot have reached would shut out all that it says later. */
function isBeyond(ledger: Ledger, slot: number, time: string): boolean {
  const newest = ledger.acceptance.newest?.slot ?? slot;
  const expected = expectSlot(ledger, Date.parse(time));
  return expected !== null && slot > newest + 2 * (expected - newest) + NODES_DIFFER_SLOTS;
}

/** A rate that nobody has shown before: what most of the accounts hold, else the first of them. */
function assumeFirst(
  { step, panel }: Hearing,
  {
    ordinal,
    validator,
    readings,
    index,
  }: { ordinal: number; validator: ValidatorRecord; readings: readonly AccountsReading[]; index: number },
): void {
  const told = readings.flatMap(({ rates, slot }) => {
    const rate = toKnown(rates[index]);
    return rate === null ? [] : [{ rate, slot }];
  });
  const common = told.find(({ rate }) => told.filter((one) => isSame(one.rate, rate)).length >= panel.majority);
  const first = common ?? told[0];
  if (first !== undefined) assume(step, ordinal, validator, { rate: first.rate, moment: momentAt(step, first.slot) });
}

function assume(
  step: Step,
  ordinal: number,
  validator: ValidatorRecord,
  { rate, moment }: { rate: Commission; moment: Moment },
): void {
  assignInflation(step, ordinal, rate);
  // Witnesses that are well may be so far apart: what one of them reads next is not of the past.
  validator.inflationShown = { ...moment, slot: moment.slot - 2 * NODES_DIFFER_SLOTS - 1 };
  step.touched.commissions.add(ordinal);
}

function hearAccount(
  step: Step,
  validator: ValidatorRecord,
  { witness, rate, moment }: { witness: number; rate: Commission; moment: Moment },
): void {
  const { inflation } = validator;
  if (inflation === null || isOfThePast(validator, moment)) return;
  const isHeld = isSame(inflation, rate);
  if (isHeld) showOld(validator, witness, moment);
  const pending = validator.pendingInflation ?? (isHeld ? null : openPending(step, validator, { to: rate, moment }));
  if (pending === null) return;
  testify(pending.testimony, witness, { value: rate, moment, of: "account", isSame });
}

function hearRow(
  hearing: Hearing,
  row: CheckRow,
  { witness, isAccepted }: { witness: number; isAccepted: boolean },
): void {
  const { step, panel, heard } = hearing;
  const found = findValidator(step.ledger, row.vote);
  const rate = toCommission(row, { isWhole: isWhole(step.ledger, step.moment.epoch) });
  if (found === null || rate === null) return;
  const { ordinal, validator } = found;
  const moment = momentAt(step, step.moment.slot);
  if (validator.inflation === null) {
    if (isAccepted) assume(step, ordinal, validator, { rate, moment });
    else return;
  }
  const { inflation } = validator;
  if (inflation === null || isOfThePast(validator, moment)) return;
  if (isShownBy(inflation, rate)) {
    if (rate.exact === inflation.exact) showOld(validator, witness, moment);
    heard.add(ordinal);
  } else if (validator.pendingInflation === null) {
    // The slot is that of the newest vote in the list: the bank that answered may be in the next epoch already.
    const epoch = isAccepted ? Math.max(moment.epoch, step.moment.epoch) : moment.epoch;
    openPending(step, validator, { to: rate, moment: { ...moment, epoch } });
    return;
  }
  const pending = validator.pendingInflation;
  if (pending === null || !isAccepted || !isSecondReading(step.moment, pending)) return;
  if (pending.mass && agrees(pending.to, rate)) pending.needed -= 1;
  if (standsInForAccount(pending, witness, panel) && !isEither(pending, inflation, rate))
    testify(pending.testimony, witness, { value: rate, moment, of: "list", isSame });
  heard.add(ordinal);
}

/** Whose list lacks a vote account is not silent about it, though its accounts cannot be read. */
function hearMissing({ ledger }: Step, { votes }: CheckEntry | SnapshotEntry, witness: number): void {
  const listed = new Set(votes.map(({ vote }) => vote));
  for (const { vote, pendingInflation } of ledger.validators)
    if (pendingInflation !== null && !listed.has(vote)) endSilence(pendingInflation.testimony, witness);
}

/** A list counts where the account of its witness cannot be read; of a panel of one, where it was not. */
function standsInForAccount({ testimony }: Pending<Commission>, witness: number, { witnesses }: Panel): boolean {
  const word = testimony.get(witness);
  return word === undefined ? witnesses.length === 1 : word.value === null || word.of === "list";
}

/** Whether a node that holds this commission would show it so: of basis points, in percent rounded down or up. */
function isShownBy(held: Commission, rate: Commission): boolean {
  return held.exact === rate.exact ? isSame(held, rate) : agrees(held, rate);
}

/** A percent that can stand for the new value as well as for the old one. */
function isEither({ to }: Pending<Commission>, held: Commission, rate: Commission): boolean {
  return !rate.exact && isShownBy(held, rate) && agrees(to, rate);
}

function decide(hearing: Hearing): void {
  const { step, panel, heard } = hearing;
  const changed: { ordinal: number; validator: ValidatorRecord; majority: MajorityWord<Commission> }[] = [];
  for (const ordinal of heard) {
    const validator = step.ledger.validators[ordinal];
    if (validator === undefined) continue;
    const majority = weigh(hearing, ordinal, validator);
    if (majority === null) continue;
    aimAt(validator.pendingInflation, majority);
    changed.push({ ordinal, validator, majority });
  }
  const listed = step.ledger.validators.filter((validator) => validator.listed).length;
  markMass(
    changed.flatMap(({ validator }) => validator.pendingInflation ?? []),
    listed,
  );
  if (isEpochDisputed(step, panel)) return;
  for (const { ordinal, validator, majority } of changed) {
    const pending = validator.pendingInflation;
    if (pending !== null && (!pending.mass || pending.needed <= 0))
      confirmByPanel(step, panel, { ordinal, validator, pending, majority });
  }
}

/** What was seen first may be over: of many changes at once, further observations must show what a majority reads now. */
function aimAt(pending: Pending<Commission> | null, { value, words }: MajorityWord<Commission>): void {
  if (pending === null || isSame(pending.to, value)) return;
  const firsts = words.map(({ first }) => first).sort((a, b) => a.slot - b.slot);
  Object.assign(pending, { to: value, first: firsts[0] ?? pending.first });
}

/** While witnesses tell of different epochs, and what is believed is one word against another, no change can be dated. */
function isEpochDisputed({ ledger: { acceptance } }: Step, { witnesses }: Panel): boolean {
  const isOneWord = witnesses.length === 2 || acceptance.believed.size < 2;
  return isOneWord && witnesses.some((witness) => acceptance.doubts.epoch.has(witness));
}

/** What a majority says of one validator; null: nothing, or nothing that would be an event. */
function weigh(hearing: Hearing, ordinal: number, validator: ValidatorRecord): MajorityWord<Commission> | null {
  const { step, panel } = hearing;
  const { inflation, pendingInflation: pending } = validator;
  if (inflation === null) return null;
  if (!validator.inflationSettled && isSettling(step, hearing, validator)) settle(panel, validator);
  if (pending === null) return null;
  const majority = findMajority(pending.testimony, panel, {
    isSame,
    isOneSilent: hasSilence(pending.testimony, panel, step.moment.time),
  });
  if (majority === null) return null;
  if (isSame(majority.value, inflation)) {
    // Who was asked at a slot before the first that showed the change cannot deny it.
    const denying = majority.words.filter(({ newest }) => newest.slot >= pending.first.slot);
    if (denying.length >= Math.min(panel.majority, majority.words.length))
      dropPending(step.ledger, validator, "pendingInflation");
    return null;
  }
  if (validator.inflationSettled && (inflation.exact || !agrees(inflation, majority.value))) return majority;
  refineByPanel(step, panel, { ordinal, validator, majority });
  return null;
}

/** Read before the value held was settled, a rate tells of an earlier change. */
function isOfThePast({ inflationFloor, inflationShown }: ValidatorRecord, { slot }: Moment): boolean {
  return slot <= Math.max(inflationFloor, inflationShown.slot);
}

function isSame(one: Commission, other: Commission): boolean {
  return one.basisPoints === other.basisPoints;
}

function momentAt({ ledger, moment: { time } }: Step, slot: number): Moment {
  return { time, slot, epoch: epochAt(ledger, slot) };
}
