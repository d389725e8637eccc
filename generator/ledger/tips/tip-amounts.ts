import type { AgreedTipAmount } from "../../agree/tip-amounts.ts";
import type { Ledger, TipAmountRecord } from "../ledger.ts";
import type { TipAmount } from "./mev-costs.ts";
import { findValidator, type Step } from "../step.ts";
import { waitsForOther } from "../belief.ts";
import { changesOfTips } from "./timeline.ts";

/* Tips of the validators and epochs of MEV changes, as the panel agrees on them. */

/** The root comes within an epoch, and accounts may be closed after ten. */
const ASKED_EPOCHS = 5;

/** Length of `YYYY-MM-DDTHH`. */
const HOUR_LENGTH = 13;

/**
 * Tip accounts to read, for MEV changes without a settled cost: in each snapshot until a majority
 * has read an amount, then once a UTC hour, because each growth rewrites documents.
 * @param now ISO 8601 in UTC
 */
export function tipAmountsToRead(
  ledger: Ledger,
  { epoch: running, now }: { epoch: number; now: string },
): { vote: string; epoch: number }[] {
  return ledger.validators.flatMap((validator, validatorIndex) =>
    changesOfTips(validator).flatMap(({ from, run: { rate, from: epoch } }) => {
      const isAsked = epoch <= running && epoch >= running - ASKED_EPOCHS;
      // Disabled means that this vendor pays no tips, so no amount shows the cost of the change.
      if (!isAsked || from === "disabled" || rate === "disabled") return [];
      const record = findRecord(ledger, { epoch, validatorIndex });
      const isReadNow = record?.readAt?.slice(0, HOUR_LENGTH) === now.slice(0, HOUR_LENGTH);
      return record?.isFinal === true || isReadNow ? [] : [{ vote: validator.vote, epoch }];
    }),
  );
}

/** What is known of a validator's tips in an epoch; null: nothing yet. */
export function findTipAmount(
  ledger: Ledger,
  at: { epoch: number; validatorIndex: number },
): TipAmount | null {
  return findRecord(ledger, at)?.amount ?? null;
}

function findRecord(
  { tipAmounts }: Ledger,
  { epoch, validatorIndex }: { epoch: number; validatorIndex: number },
) {
  return tipAmounts.get(epoch)?.get(validatorIndex);
}

/** Records the amounts of tips that the panel agrees on. A final amount never changes. */
export function foldTipAmounts(step: Step, agreed: readonly AgreedTipAmount[]): void {
  for (const amount of agreed) {
    const { vote, epoch } = amount;
    const validatorIndex = findValidator(step.ledger, vote)?.validatorIndex;
    if (validatorIndex === undefined) continue;
    const record =
      findRecord(step.ledger, { epoch, validatorIndex }) ??
      createRecord(step.ledger, { epoch, validatorIndex });
    if (record.isFinal) continue;
    if (!waitsForOther(step.ledger, amount.isAlone, step.moment.time))
      take(step, validatorIndex, record, amount);
  }
}

function createRecord(
  { tipAmounts }: Ledger,
  { epoch, validatorIndex }: { epoch: number; validatorIndex: number },
) {
  const ofEpoch = tipAmounts.get(epoch) ?? new Map<number, TipAmountRecord>();
  tipAmounts.set(epoch, ofEpoch);
  const record: TipAmountRecord = { amount: null, readAt: null, isFinal: false };
  ofEpoch.set(validatorIndex, record);
  return record;
}

/** A closed account has no amount; the known amount stays. */
function take(
  step: Step,
  validatorIndex: number,
  record: TipAmountRecord,
  { settled, reached }: AgreedTipAmount,
): void {
  const { amount } = record;
  if (settled !== null) record.isFinal = true;
  const next = settled === "absent" ? null : (settled ?? reached);
  if (next === null) return;
  record.readAt = step.moment.time;
  const isSettled = settled !== null;
  const lamports = !isSettled && amount !== null && amount.lamports > next ? amount.lamports : next;
  if (amount?.lamports === lamports && amount.isSettled === isSettled) return;
  record.amount = { lamports, isSettled };
  step.touched.profiles.add(validatorIndex);
}
