import { NOT_RECORDED, getU16, setU16 } from "./columns.ts";
import { isCovered } from "./coverage.ts";
import { recordProvedEvent } from "./events.ts";
import type { Ledger } from "./ledger.ts";
import { settleMove, shownUntil, toMoves, toTransaction, type Move } from "./proof-moves.ts";
import type { EventRecord, ValidatorRecord } from "./records.ts";
import { touchGapBefore, touchPointsFrom } from "./touch-points.ts";
import type { Touched } from "./touched.ts";
import { epochAt } from "./witnesses.ts";

/*
 * What proved transactions make of events (design §7, «several in one window»). An event that was observed takes the last
 * transaction in its window that reached its new rate. Where another rate stood at the end of an epoch meanwhile, or where no
 * observation saw anything, the moves themselves are the events. Nothing is concluded from slots in which more may have
 * happened than is known (coverage.ts).
 */

interface Subject {
  ledger: Ledger;
  touched: Touched;
  /** Of the entry that is folded, ISO 8601 in UTC. */
  time: string;
  ordinal: number;
  validator: ValidatorRecord;
  /** Its observed changes by the order of their windows, those that a ruling took back included. */
  seen: readonly EventRecord[];
  /** Those that transactions alone tell of, by signature. */
  made: ReadonlyMap<string, EventRecord>;
  moves: readonly Move[];
}

/** Longest time for which a rate stood and observations showed another one. */
const UNSEEN_EPOCHS_MAX = 1_000;

/** A rate that stood, and from which slot on that is known. */
interface Base {
  basisPoints: number | null;
  slot: number;
}

/** The slot of a list is that of its newest vote, and that of many accounts the lowest: the bank that answered may be so much further. */
const READ_SLOTS = 32;
/** In so many slots the rate is observed at least once: ten minutes between two snapshots. */
const OBSERVED_SLOTS = 1_500;

/** Works out anew what is proved of every validator of which more became known. @param time of the entry that was folded */
export function foldProofs(ledger: Ledger, touched: Touched, time: string): void {
  const ordinals = [...touched.proofs.union(touched.events).union(touched.commissions)].filter(
    (ordinal) => (ledger.validators[ordinal]?.rateProofs.length ?? 0) > 0,
  );
  if (ordinals.length === 0) return;
  const isProvable = ({ source, confirmed }: EventRecord) => source === "COMMISSION" && confirmed;
  const events = Map.groupBy([...ledger.events, ...ledger.withdrawn].filter(isProvable), ({ ordinal }) => ordinal);
  for (const ordinal of ordinals.sort((a, b) => a - b)) {
    const validator = ledger.validators[ordinal];
    if (validator === undefined) continue;
    redate(ledger, validator);
    const own = events.get(ordinal) ?? [];
    const made = own.filter(({ isSwept }) => isSwept);
    proveAll({
      ledger,
      touched,
      time,
      ordinal,
      validator,
      seen: own.filter(({ isSwept }) => !isSwept).sort((a, b) => a.slot - b.slot),
      made: new Map(made.map((event) => [event.transaction?.signature ?? "", event])),
      moves: toMoves(validator),
    });
  }
}

/** Where epochs begin may have been told wrongly when a transaction was read. */
function redate(ledger: Ledger, { rateProofs }: ValidatorRecord): void {
  const since = ledger.epochs[0]?.firstSlot ?? Infinity;
  for (const proof of rateProofs) if (proof.slot >= since) proof.epoch = epochAt(ledger, proof.slot);
}

function proveAll(subject: Subject): void {
  const { seen, moves } = subject;
  const used = new Map<number, Move>();
  for (const [index, event] of seen.entries()) {
    const group = findGroup(subject, event, seen[index + 1]);
    for (const move of proveSeen(subject, event, group)) used.set(move.slot, move);
  }
  const isFree = ({ slot }: Move) => !seen.some((event) => slot > startOf(event) && slot <= event.slot);
  const free = moves.filter((move) => !used.has(move.slot) && isFree(move));
  for (const run of toRuns(free, seen)) for (const move of proveRun(subject, run)) used.set(move.slot, move);
  keepColumn(
    subject,
    moves.flatMap(({ slot }) => used.get(slot) ?? []),
  );
}

/** The old rate was shown at this slot, so that the change was made after it. */
function startOf({ previousSlot, slot }: EventRecord): number {
  return previousSlot ?? slot - 1;
}

/**
 * The moves in the window of a change, of which the last one reached its new rate; empty: none did, or more may have happened
 * after it.
 */
function findGroup({ validator, moves }: Subject, event: EventRecord, next: EventRecord | undefined): Move[] {
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
function proveSeen(subject: Subject, event: EventRecord, group: readonly Move[]): readonly Move[] {
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

function touchEvent(
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

/** Moves that no observation saw, as they follow each other between the same two observed changes. */
interface Run {
  moves: readonly Move[];
  before: EventRecord | undefined;
  after: EventRecord | undefined;
}

function toRuns(free: readonly Move[], seen: readonly EventRecord[]): Run[] {
  const placeOf = ({ slot }: Move) => seen.filter((event) => event.slot < slot).length;
  return [...Map.groupBy(free, placeOf)].map(([place, moves]) => ({
    moves,
    before: seen[place - 1],
    after: seen[place],
  }));
}

/** Makes events of what no observation saw. @returns the moves that are certain */
function proveRun(subject: Subject, { moves, before, after }: Run): Move[] {
  const { validator } = subject;
  const knownFrom = validator.inflationKnownFrom ?? Infinity;
  const held = after?.from ?? validator.inflation?.basisPoints ?? null;
  const isNumber = typeof held === "number";
  const known = moves.filter(({ slot }) => slot > knownFrom || before !== undefined);
  const past = moves.filter((move) => !known.includes(move));
  const until = after === undefined ? shownUntil(validator) : startOf(after);
  const seenBy = known.filter(({ slot }) => slot <= until);
  const base: Base = { basisPoints: isNumber ? held : null, slot: before?.slot ?? knownFrom };
  const settled = settleLast(subject, seenBy, { held, until });
  const isDenied = isNumber && denies(subject, settled, { held, until });
  return [...proveChain(subject, past, null), ...(isDenied ? [] : proveChain(subject, settled, base))];
}

/** The same moves; what the last one left, where nobody tells it, by the rate that was read afterwards. */
function settleLast(
  { validator }: Subject,
  moves: readonly Move[],
  { held, until }: { held: EventRecord["from"]; until: number },
): Move[] {
  return moves.map((move, index) => {
    const isLast = index === moves.length - 1 && isCovered(validator, { after: move.slot, upTo: until });
    return isLast ? settleMove(move, validator.rateProofs, held) : move;
  });
}

/** Whether another rate was read afterwards than the last move left, though nothing else happened: then one of both is false. */
function denies(
  { validator }: Subject,
  moves: readonly Move[],
  { held, until }: { held: number; until: number },
): boolean {
  const last = moves.at(-1);
  if (last === undefined || last.to === held) return false;
  return isCovered(validator, { after: last.slot, upTo: until });
}

/** @param base the rate that observations show all along; null: nothing was observed yet */
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

/** The rate that a move changed; null: nobody knows; "uncertain": it may have been either of two. */
function findFrom(
  { ledger, validator, ordinal }: Subject,
  move: Move,
  { previous, base }: { previous: Move | null; base: Base | null },
): number | null | "uncertain" {
  if (!isCovered(validator, { after: move.slot - 1, upTo: move.slot })) return "uncertain";
  const isNext = previous !== null && isCovered(validator, { after: previous.slot - 1, upTo: move.slot });
  if (isNext) return previous.to ?? "uncertain";
  if (base === null) return getU16(ledger.history.inflation, move.epoch - 1, ordinal);
  const since = Math.max(base.slot, move.slot - OBSERVED_SLOTS);
  return isCovered(validator, { after: since, upTo: move.slot }) ? base.basisPoints : "uncertain";
}

/** Its id holds the epoch that was believed first, and stays. */
function moveEvent({ ledger, touched }: Subject, event: EventRecord, { epoch }: Move): void {
  const madeIn = { earliest: epoch, latest: epoch };
  touched.epochs.add(event.epoch);
  const since = Math.min(epoch, event.epoch);
  Object.assign(event, { epoch, seenIn: madeIn, madeIn });
  touchEvent({ ledger, touched }, event, since);
}

/** Makes an event of each move that left another rate than it found. Gives the events of them all. */
function makeSteps(
  subject: Subject,
  { moves, from }: { moves: readonly Move[]; from: EventRecord["from"] },
): EventRecord[] {
  const { ledger, touched, ordinal, made, time } = subject;
  const events: EventRecord[] = [];
  let before = from;
  for (const move of moves) {
    const { to } = move;
    if (typeof before === "number" && to !== null && to !== before) {
      const known = made.get(move.proof.signature);
      const step = { ledger, touched, time };
      if (known !== undefined && known.epoch !== move.epoch) moveEvent(subject, known, move);
      events.push(
        known ?? recordProvedEvent(step, ordinal, { from: before, to, move, transaction: toTransaction([move]) }),
      );
    }
    before = to;
  }
  return events;
}

/**
 * Keeps what the proved moves left at the ends of epochs: where it is known of all slots up to them that nothing else
 * happened, and nothing else was seen to.
 */
function keepColumn({ ledger, touched, ordinal, validator, seen, moves }: Subject, certain: readonly Move[]): void {
  const wanted = new Map<number, number>();
  for (const move of certain) {
    for (const epoch of epochsOf(move, { seen, next: moves.find(({ slot }) => slot > move.slot) })) {
      const isChangedAfter = seen.some(
        (event) => event.transaction === null && event.seenIn.earliest <= epoch && event.slot > move.slot,
      );
      const isAll = isCovered(validator, { after: move.slot - 1, upTo: lastSlotOf(ledger, epoch) });
      const isTold = epoch === move.epoch || getU16(ledger.inflation, epoch, ordinal) !== null;
      if (move.to !== null && isTold && isAll && !isChangedAfter) wanted.set(epoch, move.to);
    }
  }
  for (const epoch of new Set([...ledger.proved.keys(), ...wanted.keys()])) {
    const value = wanted.get(epoch) ?? null;
    if (getU16(ledger.proved, epoch, ordinal) === value) continue;
    setU16(ledger.proved, epoch, ordinal, value ?? NOT_RECORDED, NOT_RECORDED);
    touched.commissions.add(ordinal);
    touched.profiles.add(ordinal);
    touchPointsFrom({ ledger, touched }, epoch);
    touchGapBefore({ ledger, touched }, ordinal, epoch);
  }
}

/** Those at whose ends the rate of a move stood while observations still showed the old one. */
function epochsOf(
  { epoch, proof }: Move,
  { seen, next }: { seen: readonly EventRecord[]; next: Move | undefined },
): number[] {
  const event = seen.find(({ transaction }) => transaction?.signature === proof.signature);
  const shownIn = event?.seenEpoch ?? next?.epoch ?? epoch;
  const last = Math.min(Math.max(epoch, shownIn - 1), next === undefined ? Infinity : next.epoch - 1);
  return Array.from(
    { length: Math.min(Math.max(0, last - epoch + 1), UNSEEN_EPOCHS_MAX) },
    (_, index) => epoch + index,
  );
}

/** Epochs are as long as the nearest one that was observed. */
function lastSlotOf({ epochs }: Ledger, epoch: number): number {
  const nearest = epochs.findLast((one) => one.epoch <= epoch) ?? epochs[0];
  if (nearest === undefined) return Infinity;
  return nearest.firstSlot + (epoch + 1 - nearest.epoch) * nearest.slotsInEpoch - 1;
}
