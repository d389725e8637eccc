import { getU16 } from "./columns.ts";
import { isCovered } from "./coverage.ts";
import { settleMove, shownUntil, type Move } from "./proof-moves.ts";
import { makeSteps, startOf, type Subject } from "./proof-steps.ts";
import type { EventRecord } from "./records.ts";

/* Changes that no observation saw: their transactions alone tell of them. */

/** In so many slots the rate is observed at least once: ten minutes between two snapshots. */
const OBSERVED_SLOTS = 1_500;

/** A rate that stood, and from which slot on that is known. */
interface Base {
  basisPoints: number | null;
  slot: number;
}

/** Moves that no observation saw, as they follow each other between the same two observed changes. */
export interface Run {
  moves: readonly Move[];
  before: EventRecord | undefined;
  after: EventRecord | undefined;
}

/** Free moves by the observed changes between which they lie. */
export function toRuns(free: readonly Move[], seen: readonly EventRecord[]): Run[] {
  const placeOf = ({ slot }: Move) => seen.filter((event) => event.slot < slot).length;
  return [...Map.groupBy(free, placeOf)].map(([place, moves]) => ({
    moves,
    before: seen[place - 1],
    after: seen[place],
  }));
}

/** Makes events of what no observation saw. @returns the moves that are certain */
export function proveRun(subject: Subject, { moves, before, after }: Run): Move[] {
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
