import { isCovered } from "./coverage.ts";
import { READ_SLOTS, recordProvedEvent } from "../events/events.ts";
import type { Ledger } from "../ledger.ts";
import { type Move, settleMove, toTransaction } from "./proof-moves.ts";
import type { EventRecord, ValidatorRecord } from "../records.ts";
import { isReopened } from "./refutations.ts";
import { type Touched, touchPointsFrom } from "../touched.ts";

/** Moves in a change's window; the last reached its new commission. Empty if none did or a later one is possible. */
export function findGroup(subject: Subject, event: EventRecord, used: ReadonlyMap<number, Move>): Move[] {
  const { validator, moves } = subject;
  const [after, upTo] = [startOf(subject, event), event.slot + READ_SLOTS];
  const near = moves.filter(({ slot }) => slot > after && slot <= upTo && !used.has(slot));
  const within = near.filter(({ slot }) => slot <= event.slot);
  const later = near.filter(({ slot }) => slot > event.slot);
  const last = [...within.slice(-1), ...later]
    .map((move) => settleMove(move, validator.rateProofs, event.to))
    .find(({ to }) => to === event.to);
  if (last === undefined) return [];
  // From its own slot on: another transaction in it may have come later.
  const span = { after: last.slot - 1, upTo: Math.max(last.slot, event.slot) };
  if (!isCovered(validator, span)) return [];
  return [...near.filter(({ slot }) => slot < last.slot), last];
}

export function proveSeen(subject: Subject, event: EventRecord, group: readonly Move[]): readonly Move[] {
  const { validator } = subject;
  const made = group[findMade(subject, event, group)];
  const isStepPaid = made !== undefined && hasPaidStep(group, event, made);
  const span = { after: startOf(subject, event), upTo: group.at(-1)?.slot ?? 0 };
  const isWhole = isCovered(validator, span) && !isReopened(validator, span);
  const isUncertain = isStepPaid && (!isWhole || group.some(({ to }) => to === null));
  if (made === undefined || isUncertain) {
    assign(subject, event, { transaction: null, madeIn: event.seenIn, epoch: event.seenEpoch, replacedBy: null });
    return [];
  }
  const steps = isStepPaid ? makeSteps(subject, { moves: group, from: event.from }) : [];
  assign(subject, event, {
    transaction: toTransaction(made, group),
    madeIn: { earliest: made.epoch, latest: made.epoch },
    epoch: made.epoch,
    replacedBy: steps.at(-1)?.id ?? null,
  });
  return group;
}

/**
 * The move from which on each epoch ended with the new commission; -1: none. What changes nothing at an epoch's end
 * after it, or sets the same again, is a step.
 */
function findMade({ validator }: Subject, { to, slot }: EventRecord, group: readonly Move[]): number {
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
    // Within an epoch, the last that brought the new commission.
    const isSetAgain = group.slice(index, last).every((one) => one.to === to);
    if (move.to === to && isSetAgain) made = index;
  }
  return made;
}

/** Whether another commission stood at an epoch's end before the change. */
function hasPaidStep(group: readonly Move[], { from }: EventRecord, made: Move): boolean {
  return group.some(({ epoch, slot, to }, index) => {
    const next = group[index + 1];
    return next !== undefined && slot < made.slot && epoch < next.epoch && to !== from;
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

export interface Subject {
  ledger: Ledger;
  touched: Touched;
  time: string;
  validatorIndex: number;
  validator: ValidatorRecord;
  /** By window; withdrawn ones included. */
  seen: EventRecord[];
  /** Resting on transactions alone, by signature. */
  made: ReadonlyMap<string, EventRecord>;
  /** Of them and new ones, what still rests on transactions. */
  standing: Set<EventRecord>;
  moves: readonly Move[];
}

/**
 * Where the old commission was last shown. If another one stood at that slot, the list that showed it was of a later
 * bank, after the next move back.
 */
export function startOf({ validator, moves }: Subject, { previousSlot, slot, from }: EventRecord): number {
  const start = previousSlot ?? slot - 1;
  const standing = moves.findLast((move) => move.slot <= start);
  if (standing === undefined || standing.to === null || standing.to === from) return start;
  const back = moves.find((move) => move.slot > start && move.slot <= start + READ_SLOTS && move.to === from);
  const isKnown = back !== undefined && isCovered(validator, { after: standing.slot, upTo: back.slot });
  return isKnown ? Math.min(back.slot, slot) : start;
}

export function makeSteps(
  subject: Subject,
  { moves, from }: { moves: readonly Move[]; from: EventRecord["from"] },
): EventRecord[] {
  const { ledger, touched, validatorIndex, standing, time } = subject;
  const events: EventRecord[] = [];
  let before = from;
  for (const move of moves) {
    const { to } = move;
    if (typeof before === "number" && to !== null && to !== before) {
      const made = subject.made.get(move.proof.signature);
      const known = made?.from === before ? made : undefined;
      const step = { ledger, touched, time };
      if (known !== undefined && known.epoch !== move.epoch) moveEvent(subject, known, move);
      const event =
        known ??
        recordProvedEvent(step, validatorIndex, { from: before, to, move, transaction: toTransaction(move, [move]) });
      standing.add(event);
      events.push(event);
    }
    before = to;
  }
  return events;
}

/** Its id keeps the epoch believed first. */
function moveEvent({ ledger, touched }: Subject, event: EventRecord, { epoch }: Move): void {
  const madeIn = { earliest: epoch, latest: epoch };
  touched.epochs.add(event.epoch);
  const since = Math.min(epoch, event.epoch);
  Object.assign(event, { epoch, seenIn: madeIn, madeIn });
  touchEvent({ ledger, touched }, event, since);
}

export function touchEvent(
  { ledger, touched }: Pick<Subject, "ledger" | "touched">,
  { validatorIndex, epoch, severity }: EventRecord,
  since: number,
): void {
  touched.events.add(validatorIndex);
  touched.epochs.add(epoch);
  touched.severities.add(severity);
  touched.commissions.add(validatorIndex);
  touchPointsFrom({ ledger, touched }, since);
}
