import type { CheckEntry, CheckRow, ConfirmEntry, PanelRow, SnapshotEntry } from "../entries/entry.ts";
import type { Circumstances } from "./acceptance.ts";
import { NOT_RECORDED, setU16 } from "./columns.ts";
import { agrees, isWholePercent, toCommission } from "./commission.ts";
import type { Ledger } from "./ledger.ts";
import { OUTDATED_MILLISECONDS } from "./outdated-accounts.ts";
import { type AccountReading, hearAccounts, hearConfirmed, readAccountsOf, toAccountRate } from "./panel-accounts.ts";
import {
  assume,
  confirmByPanel,
  hearRate,
  type Hearing,
  isOfThePast,
  isSame,
  isSettling,
  isShownBy,
  momentAt,
  noteHeard,
  openPending,
  refineByPanel,
  settle,
  showOld,
} from "./panel-changes.ts";
import { dropPending, isSecondReading, markMass, SECOND_READING_MILLISECONDS } from "./pending.ts";
import type { Commission, Moment, Pending, ValidatorRecord } from "./records.ts";
import type { Found, Step } from "./step.ts";
import { endSilence, findMajority, hasSilence, type MajorityWord } from "./testimony.ts";
import { touchGapBefore, touchPointsFrom } from "./touched.ts";
import { type AccountRate, type Shown, toWitnessRate } from "./witness-rate.ts";
import { type Panel, toPanel, witnessOf } from "./witnesses.ts";

/*
 * Each witness's own list decides, by a majority. A check or snapshot reads one of them; a second reading, asked for as
 * soon as anything shows another rate, reads all.
 */

export function foldPanelInflation(
  step: Step,
  entry: CheckEntry | SnapshotEntry,
  { panel, witness, found, isAccepted }: Circumstances & { found: readonly Found<CheckRow>[]; isAccepted: boolean },
): void {
  const silent = findSilent(step, entry.panel);
  const hearing: Hearing = { step, panel, silent, heard: new Set() };
  const accounts = entry.kind === "snapshot" ? readAccountsOf(step, entry.accounts) : [];
  const list: List = {
    witness,
    moment: momentAt(step, step.moment.slot),
    isWhole: isWholePercent(step.ledger, step.moment.epoch),
    isAccepted,
    findAccount: toFinder(entry, accounts, witness),
  };
  for (const one of found) hearRow(hearing, one, list);
  const votes = accounts.length > 0 ? entry.votes.map(({ vote }) => vote) : [];
  hearAccounts(hearing, votes, accounts);
  hearMissing(step, entry, witness);
  decide(hearing);
  if (!isAccepted) return;
  for (const { ordinal, validator } of found) carryForward(step, ordinal, validator);
}

function carryForward(step: Step, ordinal: number, validator: ValidatorRecord): void {
  if (validator.inflation === null) return;
  const { inflation, epochs } = step.ledger;
  const epoch = epochs.at(-1)?.epoch ?? step.moment.epoch;
  // Accounts may have been read after this epoch ended.
  if (validator.inflationShown.epoch > epoch) return;
  if (inflation.get(epoch)?.[ordinal] === validator.inflation.basisPoints) return;
  setU16(inflation, epoch, ordinal, validator.inflation.basisPoints, NOT_RECORDED);
  step.touched.commissions.add(ordinal);
  touchPointsFrom(step, epoch);
  touchGapBefore(step, ordinal, epoch);
  // The profile of a new account shows the announced commission.
  step.touched.profiles.add(ordinal);
}

export function foldPanelConfirm(step: Step, entry: ConfirmEntry): void {
  const panel = toPanel(step.ledger, entry.answers);
  const hearing: Hearing = { step, panel, silent: new Set(), heard: new Set() };
  hearConfirmed(hearing, entry.votes, entry.answers);
  decide(hearing);
}

/** Vote accounts whose rates to ask every witness for. `unsettled`: also those of first rates that are not settled. */
export function ratesToRead({ validators }: Ledger, { unsettled }: { unsettled: boolean }): string[] {
  return validators.flatMap(({ vote, listed, inflationSettled, pendingInflation }) =>
    pendingInflation !== null || (unsettled && listed && !inflationSettled) ? [vote] : [],
  );
}

function findSilent({ ledger }: Step, asked: readonly PanelRow[]): Set<number> {
  return new Set(asked.flatMap(({ endpoint, slot }) => (slot === null ? [witnessOf(ledger, endpoint)] : [])));
}

interface List {
  witness: number;
  moment: Moment;
  isWhole: boolean;
  isAccepted: boolean;
  /** The same witness's vote account. */
  findAccount: (vote: string) => AccountRate;
}

/** Only a percent needs the account. */
function toFinder({ votes }: CheckEntry | SnapshotEntry, accounts: readonly AccountReading[], witness: number) {
  const own = accounts.find((reading) => reading.witness === witness);
  if (own === undefined) return () => "not read" as const;
  let places: Map<string, number> | null = null;
  return (vote: string) => {
    places ??= new Map(votes.map((row, index) => [row.vote, index]));
    return toAccountRate(own, places.get(vote) ?? -1);
  };
}

function hearRow(hearing: Hearing, { row, ordinal, validator }: Found<CheckRow>, list: List): void {
  const { step } = hearing;
  const { witness, isAccepted } = list;
  const commission = toCommission(row, list);
  if (commission === null) return;
  const shown = { commission, moment: list.moment };
  const rate = toWitnessRate(shown, commission.exact ? "not read" : list.findAccount(row.vote));
  if (validator.inflation === null && isAccepted) assume(step, ordinal, validator, rate ?? shown);
  if (rate?.commission.exact === true && isAccepted) hearRate(hearing, validator, { witness, ...rate });
  else askAbout(hearing, validator, { witness, ...shown });
  const pending = validator.pendingInflation;
  if (isAccepted && pending?.mass === true && isSecondReading(step.moment, pending) && agrees(pending.to, commission))
    pending.needed -= 1;
  noteHeard(hearing, ordinal, validator);
}

/** A percent and a refused list decide nothing, but the witness is not silent. */
function askAbout(
  { step }: Hearing,
  validator: ValidatorRecord,
  { witness, commission, moment }: Shown & { witness: number },
): void {
  const { inflation, pendingInflation: pending } = validator;
  if (inflation === null || isOfThePast(validator, moment)) return;
  const isHeld = isShownBy(inflation, commission);
  if (isHeld && commission.exact === inflation.exact) showOld(validator, witness, moment);
  if (pending === null) {
    if (!isHeld) openPending(step, validator, { to: commission, moment });
  } else if (!isShownBy(pending.to, commission)) endSilence(pending.testimony, witness);
}

/** Leaving the vote account out breaks a witness's silence. */
function hearMissing({ ledger }: Step, { votes }: CheckEntry | SnapshotEntry, witness: number): void {
  const awaited = ledger.validators.filter(({ pendingInflation }) => pendingInflation !== null);
  if (awaited.length === 0) return;
  const listed = new Set(votes.map(({ vote }) => vote));
  for (const { vote, pendingInflation } of awaited)
    if (pendingInflation !== null && !listed.has(vote)) endSilence(pendingInflation.testimony, witness);
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
  markMass(
    step.ledger,
    changed.flatMap(({ validator }) => validator.pendingInflation ?? []),
  );
  if (isEpochDisputed(step, panel)) return;
  for (const { ordinal, validator, majority } of changed) {
    const pending = validator.pendingInflation;
    if (pending !== null && (!pending.mass || pending.needed <= 0))
      confirmByPanel(step, panel, { ordinal, validator, pending, majority });
  }
}

/** Further observations of a mass change must show the majority's value, not the first seen. */
function aimAt(pending: Pending<Commission> | null, { value, words }: MajorityWord<Commission>): void {
  if (pending === null || isSame(pending.to, value)) return;
  const firsts = words.map(({ first }) => first).sort((a, b) => a.slot - b.slot);
  Object.assign(pending, { to: value, first: firsts[0] ?? pending.first });
}

/** No change can be dated while one's word stands against another's about the epoch. */
function isEpochDisputed({ ledger: { acceptance } }: Step, { witnesses }: Panel): boolean {
  const isOneWord = witnesses.length === 2 || acceptance.believed.size < 2;
  return isOneWord && witnesses.some((witness) => acceptance.doubts.epoch.has(witness));
}

function weigh(hearing: Hearing, ordinal: number, validator: ValidatorRecord): MajorityWord<Commission> | null {
  const { step, panel } = hearing;
  const { inflation, pendingInflation: pending } = validator;
  if (inflation === null) return null;
  if (!validator.inflationSettled && isSettling(step, hearing, validator)) settle(panel, validator);
  if (pending === null) return null;
  const agreed = findMajority(pending.testimony, panel, {
    isSame,
    isOneSilent: hasSilence(pending.testimony, panel, step.moment.time),
  });
  if (agreed === null) return null;
  const exact = agreed.words.find(({ value }) => value?.exact)?.value;
  const majority = { ...agreed, value: exact ?? agreed.value };
  if (isSame(majority.value, inflation) && (inflation.exact || !majority.value.exact)) {
    if (isDenied(pending, inflation, majority)) dropPending(step.ledger, validator);
    return null;
  }
  if (validator.inflationSettled && (inflation.exact || !agrees(inflation, majority.value)))
    return isSaidTwice(panel, majority, inflation) ? majority : null;
  refineByPanel(step, panel, { ordinal, validator, majority });
  return null;
}

/** A reading from before a witness first showed the change cannot deny it. */
function isDenied(
  { first, testimony }: Pending<Commission>,
  held: Commission,
  { words }: MajorityWord<Commission>,
): boolean {
  const isTold = [...testimony.values()].some(({ value }) => value !== null && !isSame(value, held));
  return !isTold || words.every(({ newest }) => newest.slot >= first.slot);
}

/** What nobody else confirms must be said twice: by a witness that is alone, and by accounts behind an equal percent. */
function isSaidTwice({ witnesses }: Panel, { value, words }: MajorityWord<Commission>, held: Commission): boolean {
  const isBehindPercent = agrees({ ...value, exact: false }, held);
  const ofWitness = witnesses.length === 1 ? SECOND_READING_MILLISECONDS : 0;
  return words.every(({ first, newest, of }) => {
    const least = of === "account" && isBehindPercent ? OUTDATED_MILLISECONDS : ofWitness;
    return Date.parse(newest.time) - Date.parse(first.time) >= least;
  });
}
