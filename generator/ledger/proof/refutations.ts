import { OUTDATED_SLOTS } from "../belief.ts";
import { isCovered } from "./coverage.ts";
import { READ_SLOTS } from "../../chain/slots.ts";
import type { EventRecord } from "../event-record.ts";
import type { Ledger } from "../ledger.ts";
import { takeBackRun } from "../rates/runs.ts";
import { knownFrom, newestChange } from "../rates/timeline.ts";
import type { RateRun, ValidatorRecord } from "../records.ts";
import { isAccepted } from "../rulings.ts";
import type { Step } from "../step.ts";
import { mayBeReopened } from "./withdrawals.ts";

/*
 * A rate changes by a transaction that the withdraw authority signs. Where searches know all
 * of them and none made a change, what was read is disputed, not published. Only closing the
 * account and opening it again sets a rate without that signature; the closing has it.
 */

interface Window {
  /** Slot at which the old rate was last read. */
  after: number;
  /** Slot at which the new one was first read. */
  upTo: number;
  /** Basis points. */
  to: number;
}

/** Whether searches that know every transaction of a change's window found none that made it. */
export function isRefuted(validator: ValidatorRecord, { after, upTo, to }: Window): boolean {
  const last = upTo + READ_SLOTS;
  // Before the first reading, or a restart, the rate may have been another.
  if (knownFrom(validator) > after || !isCovered(validator, { after, upTo: last })) return false;
  const around = { after: after - OUTDATED_SLOTS, upTo: last };
  const isNear = (slot: number) => slot > around.after && slot <= around.upTo;
  const isMade = validator.rateProofs.some(
    ({ slot, rates, isDisputed }) => rates.at(-1) === to && (isDisputed || isNear(slot)),
  );
  // A witness may have answered either rate too early or too late, so the last transaction decides.
  const isLeft = validator.rateProofs.at(-1)?.rates.at(-1) === to;
  return !isMade && !isLeft && !mayBeReopened(validator, around);
}

/**
 * Takes back changes that searches refute: they become disputed, their events go, and documents
 * show the rate before. Only the newest change is taken back, as later ones rest on earlier ones,
 * and none that a ruling accepts.
 */
export function takeBackRefuted(step: Step, validatorIndex: number): void {
  const validator = step.ledger.validators[validatorIndex];
  if (validator === undefined) return;
  for (let change = newestChange(validator); change !== null; change = newestChange(validator)) {
    const { run, before } = change;
    const window = { after: before.until.slot, upTo: run.from.slot, to: run.basisPoints };
    if (!isRefuted(validator, window) || isAcceptedChange(step.ledger, validatorIndex, run)) return;
    takeBackRun(step, validatorIndex, run);
  }
}

function isAcceptedChange(
  ledger: Ledger,
  validatorIndex: number,
  { from, basisPoints }: RateRun,
): boolean {
  const isMadeOf = (event: EventRecord) =>
    event.validatorIndex === validatorIndex &&
    event.source === "COMMISSION" &&
    !event.isSwept &&
    event.seenEpoch === from.epoch &&
    event.slot === from.slot &&
    event.to === basisPoints;
  return [...ledger.events, ...ledger.withdrawn].some(
    (event) => isMadeOf(event) && isAccepted(ledger, event),
  );
}
