import { agreeOnAuthority, hearAuthority } from "./authorities.ts";
import { toStoredCommission } from "./commission.ts";
import type { AccountsAnswer } from "../entries/entry.ts";
import type { Ledger } from "./ledger.ts";
import { expectSlot, NODES_DIFFER_SLOTS } from "./slot-objections.ts";
import {
  assume,
  isOfThePast,
  isSame,
  momentAt,
  noteHeard,
  openPending,
  showOld,
  type Hearing,
} from "./panel-changes.ts";
import type { Commission, Moment, ValidatorRecord } from "./records.ts";
import { findValidator, type Step } from "./step.ts";
import { endSilence, noteAbsence, noteSilence, testify } from "./testimony.ts";
import { findClusterSlot, isInPlace, witnessOf } from "./witnesses.ts";

type AccountsRows = Extract<AccountsAnswer, { state: "ok" }>["rows"];

/** null: unreadable, "absent": no such account. */
interface AccountsReading {
  witness: number;
  moment: Moment;
  commissions: (Commission | "absent" | null)[];
  rows: AccountsRows;
}

export function hearAccounts(hearing: Hearing, votes: readonly string[], answers: readonly AccountsAnswer[]): void {
  const { step, silent } = hearing;
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
    for (const { witness, moment, commissions } of readings) {
      const commission = toKnown(commissions[index]);
      if (commission !== null) hearAccount(step, validator, { witness, commission, moment });
    }
    noteWordless(hearing, validator, { readings, index });
    hearAuthorities(hearing, found, { readings, index });
    noteHeard(hearing, ordinal, validator);
  }
}

function hearAuthorities(
  { step, panel }: Hearing,
  { ordinal, validator }: { ordinal: number; validator: ValidatorRecord },
  { readings, index }: { readings: readonly AccountsReading[]; index: number },
): void {
  for (const { witness, moment, rows } of readings) {
    const key = rows[index]?.[2] ?? null;
    if (key !== null) hearAuthority(validator, { witness, key, slot: moment.slot });
  }
  if (agreeOnAuthority(validator, panel)) step.touched.profiles.add(ordinal);
}

function noteWordless(
  { step, silent }: Hearing,
  { pendingInflation: pending }: ValidatorRecord,
  { readings, index }: { readings: readonly AccountsReading[]; index: number },
): void {
  if (pending === null) return;
  for (const witness of silent) noteSilence(pending.testimony, witness, step.moment);
  for (const { witness, commissions, moment } of readings)
    if (commissions[index] === "absent") noteAbsence(pending.testimony, witness, moment);
}

function toKnown(commission: AccountsReading["commissions"][number] | undefined): Commission | null {
  return commission === undefined || commission === "absent" ? null : commission;
}

function toReadings(step: Step, answers: readonly AccountsAnswer[]): AccountsReading[] {
  const { ledger, moment } = step;
  const told = answers.filter((answer) => answer.state === "ok");
  const slots = told.map(({ slot }) => slot);
  const clusterSlot = findClusterSlot(ledger, slots, moment.time);
  return told.flatMap(({ endpoint, slot, rows }) => {
    const witness = witnessOf(ledger, endpoint);
    const record = ledger.witnesses[witness];
    if (record === undefined || slot < record.accountsSlot || !isInPlace(slot, clusterSlot)) return [];
    if (clusterSlot === null && isBeyond(ledger, slot, moment.time)) return [];
    record.accountsSlot = slot;
    const commissions = rows.map((row) =>
      row === null ? ("absent" as const) : toStoredCommission({ basisPoints: row[0], percent: row[1] }),
    );
    return [{ witness, moment: momentAt(step, slot), commissions, rows }];
  });
}

/** With one witness, an impossible slot would shut out all its later answers. */
function isBeyond(ledger: Ledger, slot: number, time: string): boolean {
  const newest = ledger.acceptance.newest?.slot ?? slot;
  const expected = expectSlot(ledger, Date.parse(time));
  return expected !== null && slot > newest + 2 * (expected - newest) + NODES_DIFFER_SLOTS;
}

function assumeFirst(
  { step, panel }: Hearing,
  {
    ordinal,
    validator,
    readings,
    index,
  }: { ordinal: number; validator: ValidatorRecord; readings: readonly AccountsReading[]; index: number },
): void {
  const told = readings.flatMap(({ commissions, moment }) => {
    const commission = toKnown(commissions[index]);
    return commission === null ? [] : [{ commission, moment }];
  });
  const common = told.find(
    ({ commission }) => told.filter((one) => isSame(one.commission, commission)).length >= panel.majority,
  );
  const first = common ?? told[0];
  if (first !== undefined) assume(step, ordinal, validator, first);
}

function hearAccount(
  step: Step,
  validator: ValidatorRecord,
  { witness, commission, moment }: { witness: number; commission: Commission; moment: Moment },
): void {
  const { inflation } = validator;
  if (inflation === null || isOfThePast(validator, moment)) return;
  const isHeld = isSame(inflation, commission);
  if (isHeld) showOld(validator, witness, moment);
  const pending =
    validator.pendingInflation ?? (isHeld ? null : openPending(step, validator, { to: commission, moment }));
  if (pending === null) return;
  testify(pending.testimony, witness, { value: commission, moment, of: "account", isSame });
}
