import type { Span } from "./coverage.ts";
import type { ValidatorRecord } from "../records.ts";

/*
 * A withdrawal of everything closes the account, and the account's identity opens it again with
 * any rate. The withdraw authority signs only the closing, so searches do not show the new rate.
 */

/** Whether observations showed that the account was closed between two slots. */
export function isReopened(validator: ValidatorRecord, { after, upTo }: Span): boolean {
  const { absences } = validator;
  if (lacksSome(absences, after)) return mayBeReopened(validator, { after, upTo });
  const closed = absences.findLast((slot) => slot > after && slot <= upTo);
  return closed !== undefined && mayBeReopened(validator, { after, upTo: closed });
}

/** Whether a withdrawal between two slots may have closed the account. */
export function mayBeReopened({ withdrawals }: ValidatorRecord, { after, upTo }: Span): boolean {
  return lacksSome(withdrawals, after) || withdrawals.some((slot) => slot > after && slot <= upTo);
}

/** Notes the slot of a withdrawal, which may have closed the account; keeps the newest 20. */
export function keepWithdrawal(validator: ValidatorRecord, slot: number): void {
  validator.withdrawals = keepSlot(validator.withdrawals, slot);
}

/** Notes the slot of an observation that lacked the validator's row; keeps the newest 20. */
export function keepAbsence(validator: ValidatorRecord, slot: number): void {
  validator.absences = keepSlot(validator.absences, slot);
}

/** Enough for the windows that are still open: some validators withdraw their rewards every day. */
const SLOTS_KEPT = 20;

function keepSlot(slots: number[], slot: number): number[] {
  if (slots.includes(slot)) return slots;
  return [...slots, slot].sort((a, b) => a - b).slice(-SLOTS_KEPT);
}

/** Whether slots above `after` may have been pushed out by newer ones. */
function lacksSome(slots: readonly number[], after: number): boolean {
  const [oldest = 0] = slots;
  return slots.length === SLOTS_KEPT && oldest > after;
}
