import type { Subject } from "./acceptance.ts";
import { agrees, isWhole, toCommission } from "./commission.ts";
import type { CheckEntry, CheckRow, PanelConfirmEntry, PanelRow, SnapshotEntry } from "../entries/entry.ts";
import { carryForward } from "./inflation.ts";
import { hearAccounts } from "./panel-accounts.ts";
import { assume, isOfThePast, isSame, momentAt, openPending, showOld, type Hearing } from "./panel-changes.ts";
import { decide } from "./panel-decision.ts";
import { isSecondReading } from "./pending.ts";
import type { Commission, Pending } from "./records.ts";
import { findValidator, type Step } from "./step.ts";
import { endSilence, testify } from "./testimony.ts";
import { toPanel, witnessOf, type Panel } from "./witnesses.ts";

/*
 * Inflation commissions by a panel of witnesses (design §4). What a list shows is a reason to ask; the vote accounts, as a
 * majority of the witnesses read them, decide. Where accounts cannot be read, lists that were accepted stand in for them.
 */

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

function findSilent({ ledger }: Step, asked: readonly PanelRow[]): Set<number> {
  return new Set(asked.flatMap(({ endpoint, slot }) => (slot === null ? [witnessOf(ledger, endpoint)] : [])));
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
