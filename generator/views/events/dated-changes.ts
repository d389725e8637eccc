import { isCovered } from "../../ledger/proof/coverage.ts";
import { READ_SLOTS } from "../../chain/slots.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { type Move, settleMove, toTransaction } from "../../ledger/proof/proof-moves.ts";
import { isReopened } from "../../ledger/proof/withdrawals.ts";
import type { ValidatorRecord } from "../../ledger/records.ts";
import type { BareEvent } from "./effects.ts";
import type { Ids } from "./event-id.ts";
import { inflationSeverity } from "./severity.ts";

/** A validator whose events are derived. `ids` gives each event its id. */
export interface Subject {
  ledger: Ledger;
  validatorIndex: number;
  validator: ValidatorRecord;
  ids: Ids;
  moves: readonly Move[];
  /** Of the entry that the ledger folded last; ISO 8601 in UTC. */
  time: string;
}

/**
 * Moves in a change's window, the last of which reached its new commission. Empty if none did or
 * if a later move is possible.
 */
export function findGroup(
  subject: Subject,
  event: BareEvent,
  used: ReadonlyMap<number, Move>,
): Move[] {
  const { validator, moves } = subject;
  const [after, upTo] = [startOf(subject, event), event.slot + READ_SLOTS];
  const near = moves.filter(({ slot }) => slot > after && slot <= upTo && !used.has(slot));
  const within = near.filter(({ slot }) => slot <= event.slot);
  const later = near.filter(({ slot }) => slot > event.slot);
  const last = [...within.slice(-1), ...later]
    .map((move) => settleMove(move, validator.rateProofs, event.to))
    .find(({ to }) => to === event.to);
  if (last === undefined) return [];
  // Begins at its own slot, because another transaction in that slot may be later.
  const span = { after: last.slot - 1, upTo: Math.max(last.slot, event.slot) };
  if (!isCovered(validator, span)) return [];
  return [...near.filter(({ slot }) => slot < last.slot), last];
}

/**
 * The event with the transaction that made it, and its steps
 * that are events themselves. null: the group does not show it.
 */
export function proveObserved(
  subject: Subject,
  event: BareEvent,
  group: readonly Move[],
): { event: BareEvent; steps: BareEvent[] } | null {
  const { validator } = subject;
  const made = group[findMade(subject, event, group)];
  if (made === undefined) return null;
  const isStepPaid = hasPaidStep(group, event, made);
  const span = { after: startOf(subject, event), upTo: group.at(-1)?.slot ?? 0 };
  const isWhole = isCovered(validator, span) && !isReopened(validator, span);
  if (isStepPaid && (!isWhole || group.some(({ to }) => to === null))) return null;
  const steps = isStepPaid ? createProved(subject, { moves: group, from: event.from }) : [];
  const transaction = toTransaction(made, group);
  const { epoch } = made;
  const madeIn = { earliest: epoch, latest: epoch };
  return {
    event: { ...event, transaction, madeIn, epoch, replacedBy: steps.at(-1)?.id ?? null },
    steps,
  };
}

/**
 * Index of the move from which on each epoch ended with the new commission; -1: none. Later moves
 * that change nothing at the end of an epoch, or set the same commission again, are steps.
 */
function findMade({ validator }: Subject, { to, slot }: BareEvent, group: readonly Move[]): number {
  const end = Math.max(slot, group.at(-1)?.slot ?? 0);
  const isLastOfEpoch = (index: number) => group[index]?.epoch !== group[index + 1]?.epoch;
  let made = group.length - 1;
  let last = made;
  for (let index = made - 1; index >= 0; index -= 1) {
    const move = group[index];
    if (move === undefined || !isCovered(validator, { after: move.slot - 1, upTo: end })) break;
    if (isLastOfEpoch(index)) {
      if (move.to !== to) break;
      last = index;
    }
    // Within an epoch, the last move to the new commission counts.
    const isSetAgain = group.slice(index, last).every((one) => one.to === to);
    if (move.to === to && isSetAgain) made = index;
  }
  return made;
}

/** Whether another commission was in force at the end of an epoch before the change. */
function hasPaidStep(group: readonly Move[], { from }: BareEvent, made: Move): boolean {
  return group.some(({ epoch, slot, to }, index) => {
    const next = group[index + 1];
    return next !== undefined && slot < made.slot && epoch < next.epoch && to !== from;
  });
}

/**
 * Slot at which the old commission was last read. If another commission was in force at that slot,
 * the list came from a later bank, after the next move back.
 */
export function startOf(
  { validator, moves }: Subject,
  { previousSlot, slot, from }: Pick<BareEvent, "previousSlot" | "slot" | "from">,
): number {
  const start = previousSlot ?? slot - 1;
  const newest = moves.findLast((move) => move.slot <= start);
  if (newest === undefined || newest.to === null || newest.to === from) return start;
  const back = moves.find(
    (move) => move.slot > start && move.slot <= start + READ_SLOTS && move.to === from,
  );
  const isKnown =
    back !== undefined && isCovered(validator, { after: newest.slot, upTo: back.slot });
  return isKnown ? Math.min(back.slot, slot) : start;
}

/** Events that only their transactions show. */
export function createProved(
  subject: Subject,
  { moves, from }: { moves: readonly Move[]; from: BareEvent["from"] },
): BareEvent[] {
  let before = from;
  return moves.flatMap((move) => {
    const [old, { to }] = [before, move];
    before = to;
    return typeof old !== "number" || to === null || to === old
      ? []
      : [toProvedEvent(subject, move, { from: old, to })];
  });
}

/** A change found only by its transaction counts as new if it is at most this many epochs old. */
const NEWS_EPOCHS = 2;

/** Its id keeps the epoch that was assumed first. */
function toProvedEvent(
  { ledger, validatorIndex, ids, time }: Subject,
  move: Move,
  { from, to }: { from: number; to: number },
): BareEvent {
  const { slot, epoch, proof } = move;
  const madeIn = { earliest: epoch, latest: epoch };
  const known = ids.claim(
    (event) =>
      event.isSwept && event.from === from && event.transaction?.signature === proof.signature,
  );
  const seenEpoch = known?.seenEpoch ?? epoch;
  const named = {
    validatorIndex,
    source: "COMMISSION" as const,
    seenEpoch,
    epoch,
    madeIn,
    from,
    to,
  };
  const isNews = (ledger.epochs.at(-1)?.epoch ?? epoch) - epoch <= NEWS_EPOCHS;
  return {
    id: known?.id ?? ids.create(named),
    ...named,
    severity: inflationSeverity(from, to),
    createdAt: known === undefined ? (isNews ? proof.foundAt : null) : known.createdAt,
    slot,
    previousSlot: null,
    previousSeenAt: null,
    seenIn: madeIn,
    confirmed: true,
    confirmedAt: known?.confirmedAt ?? time,
    confirmedBy: "transaction",
    transaction: toTransaction(move, [move]),
    isSwept: true,
    replacedBy: null,
  };
}
