import type { CheckEntry, CheckRow, PanelConfirmEntry, PanelRow, SnapshotEntry } from "../entries/entry.ts";
import type { Circumstances } from "./acceptance.ts";
import { agrees, isWholePercent, toCommission } from "./commission.ts";
import { carryForward } from "./inflation.ts";
import { hearAccounts } from "./panel-accounts.ts";
import {
  assume,
  confirmByPanel,
  type Hearing,
  isOfThePast,
  isSame,
  isSettling,
  momentAt,
  noteHeard,
  openPending,
  refineByPanel,
  settle,
  showOld,
} from "./panel-changes.ts";
import { dropPending, isSecondReading, markMass } from "./pending.ts";
import type { Commission, Moment, Pending, ValidatorRecord } from "./records.ts";
import type { Found, Step } from "./step.ts";
import { endSilence, findMajority, hasSilence, type MajorityWord, testify } from "./testimony.ts";
import { type Panel, toPanel, witnessOf } from "./witnesses.ts";

/*
 * A list is a reason to ask; the vote accounts decide, by a majority. Where accounts cannot be read, accepted lists do.
 */

export function foldPanelInflation(
  step: Step,
  entry: CheckEntry | SnapshotEntry,
  { panel, witness, found, isAccepted }: Circumstances & { found: readonly Found<CheckRow>[]; isAccepted: boolean },
): void {
  const silent = findSilent(step, entry.panel ?? []);
  const hearing: Hearing = { step, panel, silent, heard: new Set() };
  if (entry.kind === "snapshot" && entry.accounts !== undefined)
    hearAccounts(
      hearing,
      entry.votes.map(({ vote }) => vote),
      entry.accounts,
    );
  const list: List = {
    witness,
    moment: momentAt(step, step.moment.slot),
    isWhole: isWholePercent(step.ledger, step.moment.epoch),
    isAccepted,
  };
  for (const one of found) hearRow(hearing, one, list);
  hearMissing(step, entry, witness);
  decide(hearing);
  if (!isAccepted) return;
  for (const { ordinal, validator } of found) carryForward(step, ordinal, validator);
}

export function foldPanelConfirm(step: Step, entry: PanelConfirmEntry): void {
  const panel = toPanel(step.ledger, entry.answers);
  const hearing: Hearing = { step, panel, silent: new Set(), heard: new Set() };
  hearAccounts(hearing, entry.votes, entry.answers);
  decide(hearing);
}

function findSilent({ ledger }: Step, asked: readonly PanelRow[]): Set<number> {
  return new Set(asked.flatMap(({ endpoint, slot }) => (slot === null ? [witnessOf(ledger, endpoint)] : [])));
}

interface List {
  witness: number;
  moment: Moment;
  isWhole: boolean;
  isAccepted: boolean;
}

function hearRow(hearing: Hearing, { row, ordinal, validator }: Found<CheckRow>, list: List): void {
  const { step, panel } = hearing;
  const { witness, moment, isAccepted } = list;
  const commission = toCommission(row, list);
  if (commission === null) return;
  if (validator.inflation === null) {
    if (isAccepted) assume(step, ordinal, validator, { commission, moment });
    else return;
  }
  const { inflation } = validator;
  if (inflation === null || isOfThePast(validator, moment)) return;
  if (isShownBy(inflation, commission)) {
    if (commission.exact === inflation.exact) showOld(validator, witness, moment);
    noteHeard(hearing, ordinal, validator);
  } else if (validator.pendingInflation === null) {
    // The bank that answered may be in the next epoch already.
    const epoch = isAccepted ? Math.max(moment.epoch, step.moment.epoch) : moment.epoch;
    openPending(step, validator, { to: commission, moment: { ...moment, epoch } });
    return;
  }
  const pending = validator.pendingInflation;
  if (pending === null) return;
  // Another value in a refused list breaks its witness's silence: of two, the other may not decide alone.
  if (!isAccepted && !isShownBy(pending.to, commission)) endSilence(pending.testimony, witness);
  if (!isAccepted || !isSecondReading(step.moment, pending)) return;
  if (pending.mass && agrees(pending.to, commission)) pending.needed -= 1;
  if (standsInForAccount(pending, witness, panel) && !isEither(pending, inflation, commission))
    testify(pending.testimony, witness, { value: commission, moment, of: "list", isSame });
  noteHeard(hearing, ordinal, validator);
}

/** Leaving the vote account out breaks a witness's silence. */
function hearMissing({ ledger }: Step, { votes }: CheckEntry | SnapshotEntry, witness: number): void {
  const awaited = ledger.validators.filter(({ pendingInflation }) => pendingInflation !== null);
  if (awaited.length === 0) return;
  const listed = new Set(votes.map(({ vote }) => vote));
  for (const { vote, pendingInflation } of awaited)
    if (pendingInflation !== null && !listed.has(vote)) endSilence(pendingInflation.testimony, witness);
}

/** A list counts where its witness's account could not be read or, with a panel of one, was not. */
function standsInForAccount({ testimony }: Pending<Commission>, witness: number, { witnesses }: Panel): boolean {
  const word = testimony.get(witness);
  return word === undefined ? witnesses.length === 1 : word.value === null || word.of === "list";
}

/** Percents are rounded down or up. */
function isShownBy(held: Commission, commission: Commission): boolean {
  return held.exact === commission.exact ? isSame(held, commission) : agrees(held, commission);
}

function isEither({ to }: Pending<Commission>, held: Commission, commission: Commission): boolean {
  return !commission.exact && isShownBy(held, commission) && agrees(to, commission);
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
  const majority = findMajority(pending.testimony, panel, {
    isSame,
    isOneSilent: hasSilence(pending.testimony, panel, step.moment.time),
  });
  if (majority === null) return null;
  if (isSame(majority.value, inflation)) {
    // A reading from before the change was first seen cannot deny it.
    const denying = majority.words.filter(({ newest }) => newest.slot >= pending.first.slot);
    if (denying.length >= Math.min(panel.majority, majority.words.length))
      dropPending(step.ledger, validator, "pendingInflation");
    return null;
  }
  if (validator.inflationSettled && (inflation.exact || !agrees(inflation, majority.value))) return majority;
  refineByPanel(step, panel, { ordinal, validator, majority });
  return null;
}
