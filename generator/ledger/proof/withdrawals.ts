import type { Span } from "./coverage.ts";
import type { ValidatorRecord } from "../records.ts";

/*
 * A withdrawal of everything closes the account, and the account's identity opens it again with
 * any rate. The withdraw authority signs only the closing, so searches do not show the new rate.
 */

/** Whether an observation showed that the account was closed between two slots. */
export function isReopened(
  { withdrawals, absentAt }: ValidatorRecord,
  { after, upTo }: Span,
): boolean {
  if (absentAt === null || absentAt <= after || absentAt > upTo) return false;
  return withdrawals.some((slot) => slot > after && slot <= absentAt);
}

/** Whether a withdrawal between two slots may have closed the account. */
export function mayBeReopened({ withdrawals }: ValidatorRecord, { after, upTo }: Span): boolean {
  // Whoever withdraws often pushes the older ones out.
  const [oldest = 0] = withdrawals;
  const isIncomplete = withdrawals.length === WITHDRAWALS_KEPT && oldest > after;
  return isIncomplete || withdrawals.some((slot) => slot > after && slot <= upTo);
}

/** Enough for the windows that are still open: some validators withdraw their rewards every day. */
const WITHDRAWALS_KEPT = 20;

/** Notes the slot of a withdrawal, which may have closed the account; keeps the newest 20. */
export function keepWithdrawal(validator: ValidatorRecord, slot: number): void {
  if (validator.withdrawals.includes(slot)) return;
  validator.withdrawals = [...validator.withdrawals, slot]
    .sort((a, b) => a - b)
    .slice(-WITHDRAWALS_KEPT);
}
