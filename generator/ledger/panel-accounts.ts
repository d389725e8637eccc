import { agreeOnAuthority, hearAuthority } from "./authorities.ts";
import { isWholePercent, toCommission, toStoredCommission } from "./commission.ts";
import type { AccountRow, AccountsAnswer, ConfirmAnswer, ListRow } from "../entries/entry.ts";
import type { Ledger } from "./ledger.ts";
import { expectSlot, NODES_DIFFER_SLOTS } from "./slot-objections.ts";
import { hearRate, isOfThePast, isShownBy, momentAt, noteHeard, openPending, type Hearing } from "./panel-changes.ts";
import type { Moment, ValidatorRecord } from "./records.ts";
import { findValidator, type Step } from "./step.ts";
import { endSilence, noteSilence } from "./testimony.ts";
import { type AccountRate, type Shown, toWitnessRate } from "./witness-rate.ts";
import { findClusterSlot, isInPlace, witnessOf } from "./witnesses.ts";

/** One witness's answer at a plausible slot. */
interface Reading<Row> {
  witness: number;
  moment: Moment;
  rows: readonly (Row | null)[];
}

export type AccountReading = Reading<AccountRow>;

/** A snapshot's vote accounts, in the order of its rows, of witnesses where the cluster is. */
export function readAccountsOf(step: Step, answers: readonly AccountsAnswer[]): AccountReading[] {
  return toReadings(
    step,
    answers.flatMap((answer) => (answer.state === "ok" ? [answer] : [])),
  );
}

/** Without their witnesses' lists, a snapshot's accounts are a reason to ask; and they tell the withdraw authorities. */
export function hearAccounts(hearing: Hearing, votes: readonly string[], readings: readonly AccountReading[]): void {
  for (const [index, vote] of votes.entries()) {
    const found = findValidator(hearing.step.ledger, vote);
    if (found === null) continue;
    for (const reading of readings) askFor(hearing, found.validator, toAccountRate(reading, index));
    hearAuthorities(hearing, found, { readings, index });
  }
}

function askFor({ step }: Hearing, validator: ValidatorRecord, account: AccountRate): void {
  const { inflation, pendingInflation } = validator;
  if (typeof account === "string" || inflation === null || pendingInflation !== null) return;
  const { commission, moment } = account;
  if (isOfThePast(validator, moment) || (inflation.exact && isShownBy(inflation, commission))) return;
  openPending(step, validator, { to: commission, moment });
}

/** Of a second reading: each witness's list, and its vote accounts. */
export function hearConfirmed(hearing: Hearing, votes: readonly string[], answers: readonly ConfirmAnswer[]): void {
  const { step, silent } = hearing;
  const lists = toReadings(
    step,
    answers.flatMap(({ endpoint, list }) => (list?.state === "ok" ? [{ endpoint, ...list }] : [])),
  );
  const accounts = toReadings(
    step,
    answers.flatMap(({ endpoint, accounts }) => (accounts?.state === "ok" ? [{ endpoint, ...accounts }] : [])),
  );
  const answered: number[] = [];
  /** With accounts. */
  const answering = new Set<number>();
  for (const { endpoint, list, accounts } of answers) {
    const witness = witnessOf(step.ledger, endpoint);
    if (accounts?.state === "ok") answering.add(witness);
    if (list?.state === "ok" || accounts?.state === "ok") answered.push(witness);
    else silent.add(witness);
  }
  for (const [index, vote] of votes.entries()) {
    const found = findValidator(step.ledger, vote);
    if (found === null) continue;
    const { ordinal, validator } = found;
    const { pendingInflation: pending } = validator;
    if (pending !== null) {
      for (const witness of answered) endSilence(pending.testimony, witness);
      for (const witness of silent) noteSilence(pending.testimony, witness, step.moment);
    }
    for (const { witness, moment, rows } of lists) {
      const own = accounts.find((reading) => reading.witness === witness);
      // An answer from elsewhere tells no more than no account.
      const account = own !== undefined ? toAccountRate(own, index) : answering.has(witness) ? "none" : "not read";
      const rate = toWitnessRate(toListRate(step.ledger, rows[index], moment), account);
      if (rate !== null) hearRate(hearing, validator, { witness, ...rate });
    }
    hearAuthorities(hearing, found, { readings: accounts, index });
    noteHeard(hearing, ordinal, validator);
  }
}

function toListRate(ledger: Ledger, row: ListRow | undefined, moment: Moment): Shown | null {
  if (row == null) return null;
  const [basisPoints, percent] = row;
  const commission = toCommission({ basisPoints, percent }, { isWhole: isWholePercent(ledger, moment.epoch) });
  return commission === null ? null : { commission, moment };
}

export function toAccountRate({ rows, moment }: AccountReading, index: number): AccountRate {
  const row = rows[index] ?? null;
  if (row === null) return "none";
  const [basisPoints, percent] = row;
  const commission = toStoredCommission({ basisPoints, percent });
  return commission === null ? "not read" : { commission, moment };
}

function hearAuthorities(
  { step, panel }: Hearing,
  { ordinal, validator }: { ordinal: number; validator: ValidatorRecord },
  { readings, index }: { readings: readonly AccountReading[]; index: number },
): void {
  for (const { witness, moment, rows } of readings) {
    const key = rows[index]?.[2] ?? null;
    if (key !== null) hearAuthority(validator, { witness, key, moment });
  }
  if (agreeOnAuthority(validator, panel)) step.touched.profiles.add(ordinal);
}

interface ToldRows<Row> {
  endpoint: string;
  slot: number;
  rows: readonly (Row | null)[];
}

function toReadings<Row>(step: Step, told: readonly ToldRows<Row>[]): Reading<Row>[] {
  const { ledger, moment } = step;
  const slots = told.map(({ slot }) => slot);
  const clusterSlot = findClusterSlot(ledger, slots, moment.time);
  return told.flatMap(({ endpoint, slot, rows }) => {
    if (!isInPlace(slot, clusterSlot) || (clusterSlot === null && isBeyond(ledger, slot, moment.time))) return [];
    return [{ witness: witnessOf(ledger, endpoint), moment: momentAt(step, slot), rows }];
  });
}

/** With one witness, an impossible slot would shut out all its later answers. */
function isBeyond(ledger: Ledger, slot: number, time: string): boolean {
  const newest = ledger.acceptance.newest?.slot ?? slot;
  const expected = expectSlot(ledger, Date.parse(time));
  return expected !== null && slot > newest + 2 * (expected - newest) + NODES_DIFFER_SLOTS;
}
