import { isCovered } from "./coverage.ts";
import { settleMove, shownUntil, toTransaction, type Move } from "./proof-moves.ts";
import { makeSteps, startOf, touchEvent, type Subject } from "./proof-steps.ts";
import type { EventRecord } from "./records.ts";

/* Changes that were observed, and the transactions in their windows. */

/** The slot of a list is that of its newest vote, and that of many accounts the lowest: the bank that answered may be so much further. */
const READ_SLOTS = 32;

/**
 * The moves in the window of a change, of which the last one reached its new rate; empty: none did, or more may have happened
 * after it.
 */
export function findGroup({ validator, moves }: Subject, event: EventRecord, next: EventRecord | undefined): Move[] {
  const limit = Math.min(event.slot + READ_SLOTS, Math.max(event.slot, next?.previousSlot ?? shownUntil(validator)));
  const near = moves.filter(({ slot }) => slot > startOf(event) && slot <= limit);
  const within = near.filter(({ slot }) => slot <= event.slot);
  const later = near.filter(({ slot }) => slot > event.slot);
  const last = [...within.slice(-1), ...later]
    .map((move) => settleMove(move, validator.rateProofs, event.to))
    .find(({ to }) => to === event.to);
  if (last === undefined) return [];
  // Its own slot, too: another transaction in it may have come after it.
  const span = { after: last.slot - 1, upTo: Math.max(last.slot, event.slot) };
  if (!isCovered(validator, span)) return [];
  return [...near.filter(({ slot }) => slot < last.slot), last];
}

/** Gives an observed change its transaction, or makes events of its steps. @returns the moves that it is proved by */
export function proveSeen(subject: Subject, event: EventRecord, group: readonly Move[]): readonly Move[] {
  const { validator } = subject;
  const [first, ...others] = group;
  const last = others.at(-1) ?? first;
  const isStepPaid = hasPaidStep(group, event);
  const isWhole = isCovered(validator, { after: startOf(event), upTo: last?.slot ?? 0 });
  const isUncertain = isStepPaid && (!isWhole || group.some(({ to }) => to === null));
  if (first === undefined || last === undefined || isUncertain) {
    assign(subject, event, { transaction: null, madeIn: event.seenIn, epoch: event.seenEpoch, replacedBy: null });
    return [];
  }
  const steps = isStepPaid ? makeSteps(subject, { moves: group, from: event.from }) : [];
  assign(subject, event, {
    transaction: toTransaction([first, ...others]),
    madeIn: { earliest: last.epoch, latest: last.epoch },
    epoch: last.epoch,
    replacedBy: steps.at(-1)?.id ?? null,
  });
  return group;
}

/** Whether a rate that was not the old one stood at the end of an epoch before the last move. */
function hasPaidStep(group: readonly Move[], { from }: EventRecord): boolean {
  return group.some(({ epoch, to }, index) => {
    const next = group[index + 1];
    return next !== undefined && epoch < next.epoch && to !== from;
  });
}

function assign(
  { ledger, touched }: Subject,
  event: EventRecord,
  facts: Pick<EventRecord, "transaction" | "madeIn" | "epoch" | "replacedBy">,
): void {
  const isSame =
    event.transaction?.signature === facts.transaction?.signature &&
    event.transaction?.steps.length === facts.transaction?.steps.length &&
    event.epoch === facts.epoch &&
    event.replacedBy === facts.replacedBy;
  if (isSame) return;
  touched.epochs.add(event.epoch);
  Object.assign(event, facts);
  touchEvent({ ledger, touched }, event, Math.min(event.seenIn.earliest, facts.epoch));
}
