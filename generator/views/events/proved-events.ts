import { isCovered } from "../../ledger/proof/coverage.ts";
import type { Move } from "../../ledger/proof/proof-moves.ts";
import { isReopened } from "../../ledger/proof/withdrawals.ts";
import { observedRate } from "../../ledger/rates/timeline.ts";
import { lastSlotOf } from "../../ledger/schedule.ts";
import type { BareEvent } from "./effects.ts";
import { findGroup, proveObserved, startOf, type Subject } from "./dated-changes.ts";
import { groupUnobserved, toUnobservedChanges } from "./unobserved-changes.ts";

/*
 * An observed event takes the transaction in its window from which on each epoch ended with its
 * new commission; the other transactions are its steps. If another commission was in force at an
 * earlier end of an epoch, or if nothing was observed, the moves themselves are the events. Slots
 * without coverage prove nothing (coverage.ts).
 */

/** Events of inflation commissions once transactions are taken into account. */
export interface Proved {
  /** The observed events with their transactions, and those that only transactions show. */
  events: BareEvent[];
  /** Basis points that were certainly in force at the end of an epoch. */
  byEpoch: Map<number, number>;
}

/** @param observed by slot, without transactions */
export function proveEvents(subject: Subject, observed: readonly BareEvent[]): Proved {
  const { moves } = subject;
  if (moves.length === 0) return { events: [...observed], byEpoch: new Map() };
  const used = new Map<number, Move>();
  const steps: BareEvent[] = [];
  const seen = observed.map((event) => {
    const group = findGroup(subject, event, used);
    const proved = proveObserved(subject, event, group);
    if (proved === null) return event;
    for (const move of group) used.set(move.slot, move);
    steps.push(...proved.steps);
    return proved.event;
  });
  const isFree = ({ slot }: Move) =>
    !seen.some((event) => slot > startOf(subject, event) && slot <= event.slot);
  const free = moves.filter((move) => !used.has(move.slot) && isFree(move));
  for (const group of groupUnobserved(free, seen)) {
    const { events, certain } = toUnobservedChanges(subject, group);
    for (const move of certain) used.set(move.slot, move);
    steps.push(...events);
  }
  const certain = moves.flatMap(({ slot }) => used.get(slot) ?? []);
  return { events: [...seen, ...steps], byEpoch: findProvedEpochs(subject, seen, certain) };
}

/** Most epochs in which a proved commission may be in force while observations show another. */
const UNSEEN_EPOCHS_MAX = 1_000;

function findProvedEpochs(
  subject: Subject,
  seen: readonly BareEvent[],
  certain: readonly Move[],
): Map<number, number> {
  const { ledger, validator, moves } = subject;
  const byEpoch = new Map<number, number>();
  for (const event of seen)
    for (const epoch of epochsSeenEarly(event)) {
      const span = { after: startOf(subject, event), upTo: lastSlotOf(ledger, epoch) };
      const isWhole = isCovered(validator, span) && !isReopened(validator, span);
      if (typeof event.from === "number" && isWhole) byEpoch.set(epoch, event.from);
    }
  for (const move of certain) {
    for (const epoch of epochsOf(move, {
      seen,
      next: moves.find(({ slot }) => slot > move.slot),
    })) {
      const isChangedAfter = seen.some(
        (event) =>
          event.transaction === null && event.seenIn.earliest <= epoch && event.slot > move.slot,
      );
      const end = lastSlotOf(ledger, epoch);
      const isWhole =
        isCovered(validator, { after: move.slot - 1, upTo: end }) &&
        !isReopened(validator, { after: move.slot, upTo: end });
      const isObserved = epoch === move.epoch || observedRate(validator, epoch) !== null;
      if (move.to !== null && isObserved && isWhole && !isChangedAfter) byEpoch.set(epoch, move.to);
    }
  }
  return byEpoch;
}

/**
 * Epochs that ended with the old commission, though an observation dated in them shows the new one:
 * a list's slot is that of its newest vote, and its rates may be some slots newer.
 */
function epochsSeenEarly({ transaction, seenEpoch, epoch }: BareEvent): number[] {
  const [first] = transaction?.steps ?? [];
  if (first === undefined || first.slot !== transaction?.slot) return [];
  return Array.from({ length: Math.max(0, epoch - seenEpoch) }, (_, index) => seenEpoch + index);
}

/** Epochs whose ends the move reached while observations still showed the old commission. */
function epochsOf(
  { epoch, proof }: Move,
  { seen, next }: { seen: readonly BareEvent[]; next: Move | undefined },
): number[] {
  const isStep = ({ signature }: { signature: string }) => signature === proof.signature;
  const event = seen.find(({ transaction }) => transaction?.steps.some(isStep) === true);
  const observedIn = event?.seenEpoch ?? next?.epoch ?? epoch;
  const last = Math.min(
    Math.max(epoch, observedIn - 1),
    next === undefined ? Infinity : next.epoch - 1,
  );
  return Array.from(
    { length: Math.min(Math.max(0, last - epoch + 1), UNSEEN_EPOCHS_MAX) },
    (_, index) => epoch + index,
  );
}
