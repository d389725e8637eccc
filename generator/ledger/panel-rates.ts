import type { Subject } from "./acceptance.ts";
import { agrees, isWhole, toCommission, toStoredCommission } from "./commission.ts";
import type { AccountsAnswer, CheckEntry, CheckRow, PanelConfirmEntry, SnapshotEntry } from "./entry.ts";
import { carryForward } from "./inflation.ts";
import { confirmByPanel, isSettling, openPending, refineByPanel, settle, showOld } from "./panel-changes.ts";
import { expectSlot, NODES_DIFFER_SLOTS } from "./pace.ts";
import { dropPending, isSecondReading, markMass } from "./pending.ts";
import type { Commission, Moment, Pending, ValidatorRecord } from "./records.ts";
import { assignInflation, findValidator, type Step } from "./step.ts";
import { findMajority, noteSilence, testify, type MajorityWord } from "./testimony.ts";
import { epochAt, findClusterSlot, isInPlace, toPanel, witnessOf, type Panel } from "./witnesses.ts";

/*
 * Inflation commissions by a panel of witnesses (design §4). What a list shows is a reason to ask; the vote accounts, as a
 * majority of the witnesses read them, decide. Where accounts cannot be read, lists that were accepted stand in for them.
 */

/** What an answer about accounts says of each vote account asked for; null: nothing readable. */
interface AccountsReading {
  witness: number;
  slot: number;
  rates: (Commission | null)[];
}

/** What one entry of a panel says, to whom it may concern. */
interface Hearing {
  step: Step;
  panel: Panel;
  /** Validators whose testimony changed, by ordinal. */
  heard: Set<number>;
}

/** The rates of an observation: the accounts by all witnesses, where it has them, and the list by one. */
export function foldPanelRates(
  step: Step,
  entry: CheckEntry | SnapshotEntry,
  { panel, witness, isAccepted }: Subject & { isAccepted: boolean },
): void {
  const hearing: Hearing = { step, panel, heard: new Set() };
  if (entry.kind === "snapshot" && entry.accounts !== undefined)
    hearAccounts(
      hearing,
      entry.votes.map(({ vote }) => vote),
      entry.accounts,
    );
  for (const row of entry.votes) hearRow(hearing, row, { witness, isAccepted });
  decide(hearing);
  if (!isAccepted) return;
  for (const { vote } of entry.votes) {
    const found = findValidator(step.ledger, vote);
    if (found !== null) carryForward(step, found.ordinal, found.validator);
  }
}

/** The accounts of what was pending, by all witnesses. */
export function foldPanelConfirm(step: Step, entry: PanelConfirmEntry): void {
  const hearing: Hearing = { step, panel: toPanel(step.ledger, entry.answers), heard: new Set() };
  hearAccounts(hearing, entry.votes, entry.answers);
  decide(hearing);
}

function hearAccounts(hearing: Hearing, votes: readonly string[], answers: readonly AccountsAnswer[]): void {
  const { step, heard } = hearing;
  const readings = toReadings(step, answers);
  const silent = answers.flatMap(({ endpoint, state }) =>
    state === "failed" ? [witnessOf(step.ledger, endpoint)] : [],
  );
  for (const [index, vote] of votes.entries()) {
    const found = findValidator(step.ledger, vote);
    if (found === null) continue;
    const { ordinal, validator } = found;
    if (validator.inflation === null) assumeFirst(hearing, { ordinal, validator, readings, index });
    for (const { witness, slot, rates } of readings) {
      const rate = rates[index] ?? null;
      if (rate !== null) hearAccount(step, validator, { witness, rate, moment: momentAt(step, slot) });
    }
    for (const witness of silent)
      if (validator.pendingInflation !== null) noteSilence(validator.pendingInflation.testimony, witness, step.moment);
    heard.add(ordinal);
  }
}

/** The answers of witnesses that are where the cluster is, and not before what they said last. */
function toReadings({ ledger, moment }: Step, answers: readonly AccountsAnswer[]): AccountsReading[] {
  const told = answers.filter((answer) => answer.state === "ok");
  const slots = told.map(({ slot }) => slot);
  // One alone is held to where the ledger expects the cluster: a slot far ahead would shut out all that it says later.
  const clusterSlot = findClusterSlot(ledger, slots, moment.time) ?? expectSlot(ledger, Date.parse(moment.time));
  return told.flatMap(({ endpoint, slot, rows }) => {
    const witness = witnessOf(ledger, endpoint);
    const record = ledger.witnesses[witness];
    if (record === undefined || slot < record.accountsSlot || !isInPlace(slot, clusterSlot)) return [];
    record.accountsSlot = slot;
    const rates = rows.map((row) => row && toStoredCommission({ basisPoints: row[0], percent: row[1] }));
    return [{ witness, slot, rates }];
  });
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
    const rate = rates[index] ?? null;
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
  // Its list may have shown the value before its account was asked.
  const isFirst = pending.endpoint === step.ledger.witnesses[witness]?.origin && isSame(pending.to, rate);
  if (isFirst && !pending.testimony.has(witness) && pending.first.slot < moment.slot)
    pending.testimony.set(witness, { value: rate, first: pending.first, newest: pending.first, of: "list" });
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

function decide({ step, panel, heard }: Hearing): void {
  const changed: { ordinal: number; validator: ValidatorRecord; majority: MajorityWord<Commission> }[] = [];
  for (const ordinal of heard) {
    const validator = step.ledger.validators[ordinal];
    if (validator === undefined) continue;
    const majority = weigh(step, panel, ordinal, validator);
    if (majority !== null) changed.push({ ordinal, validator, majority });
  }
  const listed = step.ledger.validators.filter((validator) => validator.listed).length;
  markMass(
    changed.flatMap(({ validator }) => validator.pendingInflation ?? []),
    listed,
  );
  for (const { ordinal, validator, majority } of changed) {
    const pending = validator.pendingInflation;
    if (pending !== null && (!pending.mass || pending.needed <= 0))
      confirmByPanel(step, panel, { ordinal, validator, pending, majority });
  }
}

/** What a majority says of one validator; null: nothing, or nothing that would be an event. */
function weigh(step: Step, panel: Panel, ordinal: number, validator: ValidatorRecord): MajorityWord<Commission> | null {
  const { inflation, pendingInflation: pending } = validator;
  if (inflation === null) return null;
  if (!validator.inflationSettled && isSettling(step, panel, validator)) settle(panel, validator);
  if (pending === null) return null;
  const since = pending.first.time;
  const majority = findMajority(pending.testimony, panel, { isSame, since, now: step.moment.time });
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
