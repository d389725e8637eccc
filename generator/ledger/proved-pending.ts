import { recordInflationEvent } from "./events.ts";
import { holdInflation } from "./panel-changes.ts";
import { shownUntil, toMoves } from "./proof-moves.ts";
import type { Step } from "./step.ts";
import { epochAt } from "./witnesses.ts";

/**
 * Confirms a change that waits for its second reading, or that witnesses dispute, by the transaction that made it: one that
 * set the rate which is asked about, after the old one was shown last.
 */
export function settleByProof(step: Step, ordinal: number): void {
  const validator = step.ledger.validators[ordinal];
  const pending = validator?.pendingInflation ?? null;
  // Of so many at once the observations decide.
  if (validator?.inflation == null || pending === null || pending.mass || !validator.inflationSettled) return;
  const until = shownUntil(validator);
  const move = toMoves(validator).findLast(({ slot }) => slot > until);
  if (move?.to !== pending.to.basisPoints || move.to === validator.inflation.basisPoints) return;
  const slot = Math.max(pending.first.slot, move.slot);
  const first = { ...pending.first, slot, epoch: epochAt(step.ledger, slot) };
  const previous = { ...validator.inflationShown, slot: until, epoch: epochAt(step.ledger, until) };
  const from = validator.inflation.basisPoints;
  recordInflationEvent(step, ordinal, {
    from,
    to: move.to,
    pending: { ...pending, first, previous },
    confirmedBy: "transaction",
  });
  holdInflation(step, ordinal, {
    rate: { basisPoints: move.to, exact: true },
    epoch: first.epoch,
    floor: move.slot,
    shown: { ...first, slot: move.slot },
    shownBy: [],
  });
}
