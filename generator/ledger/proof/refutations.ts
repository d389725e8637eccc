import { OUTDATED_SLOTS } from "../belief.ts";
import { authoritiesWithin } from "./authorities.ts";
import { isCovered } from "./coverage.ts";
import { READ_SLOTS } from "../events/events.ts";
import type { ValidatorRecord } from "../records.ts";

/*
 * A rate changes by a transaction that the withdraw authority signs. Where searches know all of them and none made a
 * change, what was read is doubted, not published. Only closing the account and opening it again sets a rate without
 * that signature; the closing has it.
 */

interface Window {
  /** Slot at which the old rate was last shown. */
  after: number;
  /** Slot at which the new one was first shown. */
  upTo: number;
  /** Basis points. */
  to: number;
}

/** Whether searches that know every transaction of a change's window found none that made it. */
export function isRefuted(validator: ValidatorRecord, { after, upTo, to }: Window): boolean {
  const last = upTo + READ_SLOTS;
  const [first] = authoritiesWithin(validator, { after, upTo: last });
  // Before its first reading, another key may have been the authority.
  if (first === undefined || first.authority.from > after) return false;
  if (!isCovered(validator, { after, upTo: last })) return false;
  const isNear = (slot: number) => slot > after - OUTDATED_SLOTS && slot <= last;
  const isMade = validator.rateProofs.some(
    ({ slot, rates, isDisputed }) => rates.at(-1) === to && (isDisputed || isNear(slot)),
  );
  // A witness may have shown either rate too long or too early: what transactions left stands.
  const isLeft = validator.rateProofs.at(-1)?.rates.at(-1) === to;
  return !isMade && !isLeft && !validator.withdrawals.some(isNear);
}

/** Whether the account was closed between two slots, after which any rate may have stood. */
export function isReopened({ withdrawals, absentAt }: ValidatorRecord, { after, upTo }: Omit<Window, "to">): boolean {
  if (absentAt === null || absentAt <= after || absentAt > upTo) return false;
  return withdrawals.some((slot) => slot > after && slot <= absentAt);
}

/** Enough for the windows that are still open: some validators withdraw their rewards every day. */
const WITHDRAWALS_KEPT = 20;

/** A withdrawal may have closed the account. */
export function keepWithdrawal(validator: ValidatorRecord, slot: number): void {
  if (validator.withdrawals.includes(slot)) return;
  validator.withdrawals = [...validator.withdrawals, slot].sort((a, b) => a - b).slice(-WITHDRAWALS_KEPT);
}
