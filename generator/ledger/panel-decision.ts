import { agrees } from "./commission.ts";
import { confirmByPanel, isSame, isSettling, refineByPanel, settle, type Hearing } from "./panel-changes.ts";
import { dropPending, markMass } from "./pending.ts";
import type { Commission, Pending, ValidatorRecord } from "./records.ts";
import type { Step } from "./step.ts";
import { findMajority, hasSilence, type MajorityWord } from "./testimony.ts";
import type { Panel } from "./witnesses.ts";

/** Decides about those of whom something was heard: a majority makes an event, denies one, or settles a first value. */
export function decide(hearing: Hearing): void {
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
