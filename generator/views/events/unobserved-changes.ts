import { getU16 } from "../../ledger/columns.ts";
import { observedSlots } from "../../ledger/ledger.ts";
import { firstReadAt } from "../../ledger/proof/authorities.ts";
import { isCovered, isSearched } from "../../ledger/proof/coverage.ts";
import { type Move, settleMove } from "../../ledger/proof/proof-moves.ts";
import { isReopened } from "../../ledger/proof/withdrawals.ts";
import { knownFrom, newestRate } from "../../ledger/rates/timeline.ts";
import { lastSlotOf } from "../../ledger/schedule.ts";
import type { BareEvent } from "./effects.ts";
import { createProved, startOf, type Subject } from "./dated-changes.ts";

/* Moves that no observation saw: each becomes an event
   of its own where it is certain what stood before. */

interface Base {
  basisPoints: number | null;
  slot: number;
}

/** Consecutive moves between the same two observed changes. */
interface UnobservedMoves {
  moves: readonly Move[];
  before: BareEvent | undefined;
  after: BareEvent | undefined;
}

/**
 * Groups moves that no observed change explains, by the observed changes around them.
 * @param seen observed changes by slot
 */
export function groupUnobserved(
  free: readonly Move[],
  seen: readonly BareEvent[],
): UnobservedMoves[] {
  const indexOf = ({ slot }: Move) => seen.filter((event) => event.slot < slot).length;
  return [...Map.groupBy(free, indexOf)].map(([index, moves]) => ({
    moves,
    before: seen[index - 1],
    after: seen[index],
  }));
}

/** Events that transactions made, and all moves that were certainly in force. */
export interface Chain {
  events: BareEvent[];
  certain: Move[];
}

/**
 * Events of moves that no observation saw, and the moves that were certainly in force. What was in force before
 * the first reading is derived apart.
 */
export function toUnobservedChanges(
  subject: Subject,
  { moves, before, after }: UnobservedMoves,
): Chain {
  const { validator } = subject;
  const newest = newestRate(validator);
  const since = knownFrom(validator);
  const current = after?.from ?? newest?.basisPoints ?? null;
  const isNumber = typeof current === "number";
  const known = moves.filter(({ slot }) => slot > since || before !== undefined);
  const past = moves.filter((move) => !known.includes(move));
  const until = after === undefined ? (newest?.until.slot ?? -1) : startOf(subject, after);
  const searched = known.filter(
    ({ slot }) => slot <= until && isCovered(validator, { after: slot - 1, upTo: slot }),
  );
  const base: Base = { basisPoints: isNumber ? current : null, slot: before?.slot ?? since };
  const settled = settleLast(subject, searched, { current, until });
  const chains = [
    proveChain(subject, past, null),
    proveChain(subject, isNumber ? upToReturn(settled, current) : settled, base),
  ];
  return {
    events: chains.flatMap(({ events }) => events),
    certain: chains.flatMap(({ certain }) => certain),
  };
}

function settleLast(
  subject: Subject,
  moves: readonly Move[],
  { current, until }: { current: BareEvent["from"]; until: number },
): Move[] {
  const { validator } = subject;
  return moves.map((move, index) => {
    const isLast = index === moves.length - 1;
    const upTo = Math.min(until, nextReading(subject, move.slot));
    return isLast && isCovered(validator, { after: move.slot, upTo })
      ? settleMove(move, validator.rateProofs, current)
      : move;
  });
}

/**
 * Moves up to the last return to `current`, which a reading showed after all of them. A later move
 * is false, or the return from it is not known yet.
 */
function upToReturn(moves: readonly Move[], current: number): readonly Move[] {
  return moves.slice(0, moves.findLastIndex(({ to }) => to === current) + 1);
}

/** Slot by which every commission was read again. */
function nextReading({ ledger }: Subject, slot: number): number {
  const unobserved = ledger.unobserved.find(([after, upTo]) => slot >= after && slot < upTo);
  return unobserved?.[1] ?? slot + observedSlots(ledger.epochs.at(-1)?.slotsInEpoch ?? 0);
}

/** @param base the commission that observations show throughout */
function proveChain(subject: Subject, moves: readonly Move[], base: Base | null): Chain {
  const chain: Chain = { events: [], certain: [] };
  let previous: Move | null = null;
  for (const move of moves) {
    const from = findFrom(subject, move, { previous, base });
    previous = move;
    if (move.to === null || from === "uncertain") continue;
    chain.certain.push(move);
    if (from !== null) chain.events.push(...createProved(subject, { moves: [move], from }));
  }
  return chain;
}

/** "uncertain": one of two commissions. */
function findFrom(
  { ledger, validator, validatorIndex }: Subject,
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
    // Sampled anywhere in its epoch. Nobody read the authority of then: its first known one counts.
    const isSure = isSearched(validator, {
      after: lastSlotOf(ledger, move.epoch - 2),
      upTo: move.slot,
    });
    return isSure ? getU16(ledger.history.inflation, move.epoch - 1, validatorIndex) : null;
  }
  const unobserved = ledger.unobserved.find(
    ([after, upTo]) => move.slot > after && move.slot <= upTo,
  );
  const since = Math.max(
    base.slot,
    // The accounts that first showed an authority showed the commission with it.
    firstReadAt(validator),
    unobserved?.[0] ?? move.slot - observedSlots(ledger.epochs.at(-1)?.slotsInEpoch ?? 0),
  );
  const isSure =
    isCovered(validator, { after: since, upTo: move.slot }) &&
    !isReopened(validator, { after: base.slot, upTo: move.slot });
  return isSure ? base.basisPoints : "uncertain";
}
