import { getU16 } from "./columns.ts";
import { isCovered } from "./coverage.ts";
import { READ_SLOTS, recordProvedEvent } from "./events.ts";
import { type Ledger, observedSlots } from "./ledger.ts";
import { type Move, settleMove, shownUntil, toTransaction } from "./proof-moves.ts";
import type { EventRecord, ValidatorRecord } from "./records.ts";
import { isReopened } from "./refutations.ts";
import { type Touched, touchPointsFrom } from "./touched.ts";
import { lastSlotOf } from "./witnesses.ts";

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

interface Base {
  basisPoints: number | null;
  slot: number;
}

/** Consecutive moves between the same two observed changes. */
export interface Run {
  moves: readonly Move[];
  before: EventRecord | undefined;
  after: EventRecord | undefined;
}

export function toRuns(free: readonly Move[], seen: readonly EventRecord[]): Run[] {
  const placeOf = ({ slot }: Move) => seen.filter((event) => event.slot < slot).length;
  return [...Map.groupBy(free, placeOf)].map(([place, moves]) => ({
    moves,
    before: seen[place - 1],
    after: seen[place],
  }));
}

/** Makes events of unobserved moves; returns the certain ones. */
export function proveRun(subject: Subject, { moves, before, after }: Run): Move[] {
  const { validator } = subject;
  const knownFrom = validator.inflationKnownFrom ?? Infinity;
  const held = after?.from ?? validator.inflation?.basisPoints ?? null;
  const isNumber = typeof held === "number";
  const known = moves.filter(({ slot }) => slot > knownFrom || before !== undefined);
  const past = moves.filter((move) => !known.includes(move));
  const until = after === undefined ? shownUntil(validator) : startOf(subject, after);
  const searched = known.filter(({ slot }) => slot <= until && isCovered(validator, { after: slot - 1, upTo: slot }));
  const base: Base = { basisPoints: isNumber ? held : null, slot: before?.slot ?? knownFrom };
  const settled = settleLast(subject, searched, { held, until });
  return [
    ...proveChain(subject, past, null),
    ...proveChain(subject, isNumber ? upToReturn(settled, held) : settled, base),
  ];
}

function settleLast(
  subject: Subject,
  moves: readonly Move[],
  { held, until }: { held: EventRecord["from"]; until: number },
): Move[] {
  const { validator } = subject;
  return moves.map((move, index) => {
    const isLast = index === moves.length - 1;
    const upTo = Math.min(until, nextReading(subject, move.slot));
    return isLast && isCovered(validator, { after: move.slot, upTo })
      ? settleMove(move, validator.rateProofs, held)
      : move;
  });
}

/**
 * A reading showed `held` after all of them: what the last return to it leaves over is false, or its own return is not
 * known yet.
 */
function upToReturn(moves: readonly Move[], held: number): readonly Move[] {
  return moves.slice(0, moves.findLastIndex(({ to }) => to === held) + 1);
}

/** By then every commission was read again. */
function nextReading({ ledger }: Subject, slot: number): number {
  const unobserved = ledger.unobserved.find(([after, upTo]) => slot >= after && slot < upTo);
  return unobserved?.[1] ?? slot + observedSlots(ledger.epochs.at(-1)?.slotsInEpoch ?? 0);
}

/** @param base the commission observations show throughout */
function proveChain(subject: Subject, moves: readonly Move[], base: Base | null): Move[] {
  const certain: Move[] = [];
  let previous: Move | null = null;
  for (const move of moves) {
    const from = findFrom(subject, move, { previous, base });
    previous = move;
    if (move.to === null || from === "uncertain") continue;
    certain.push(move);
    if (from !== null) makeSteps(subject, { moves: [move], from });
  }
  return certain;
}

/** "uncertain": one of two commissions. */
function findFrom(
  { ledger, validator, ordinal }: Subject,
  move: Move,
  { previous, base }: { previous: Move | null; base: Base | null },
): number | null | "uncertain" {
  if (!isCovered(validator, { after: move.slot - 1, upTo: move.slot })) return "uncertain";
  const isNext =
    previous !== null &&
    isCovered(validator, { after: previous.slot - 1, upTo: move.slot }) &&
    !isReopened(validator, { after: previous.slot, upTo: move.slot });
  if (isNext) return previous.to ?? "uncertain";
  if (base === null) {
    // Sampled anywhere in its epoch.
    const isSure = isCovered(validator, { after: lastSlotOf(ledger, move.epoch - 2), upTo: move.slot });
    return isSure ? getU16(ledger.history.inflation, move.epoch - 1, ordinal) : null;
  }
  const unobserved = ledger.unobserved.find(([after, upTo]) => move.slot > after && move.slot <= upTo);
  const since = Math.max(
    base.slot,
    unobserved?.[0] ?? move.slot - observedSlots(ledger.epochs.at(-1)?.slotsInEpoch ?? 0),
  );
  const isSure =
    isCovered(validator, { after: since, upTo: move.slot }) &&
    !isReopened(validator, { after: base.slot, upTo: move.slot });
  return isSure ? base.basisPoints : "uncertain";
}

export interface Subject {
  ledger: Ledger;
  touched: Touched;
  time: string;
  ordinal: number;
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

function makeSteps(
  subject: Subject,
  { moves, from }: { moves: readonly Move[]; from: EventRecord["from"] },
): EventRecord[] {
  const { ledger, touched, ordinal, standing, time } = subject;
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
        known ?? recordProvedEvent(step, ordinal, { from: before, to, move, transaction: toTransaction(move, [move]) });
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
  { ordinal, epoch, severity }: EventRecord,
  since: number,
): void {
  touched.events.add(ordinal);
  touched.epochs.add(epoch);
  touched.severities.add(severity);
  touched.commissions.add(ordinal);
  touchPointsFrom({ ledger, touched }, since);
}
