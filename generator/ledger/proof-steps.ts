import { recordProvedEvent } from "./events.ts";
import type { Ledger } from "./ledger.ts";
import { toTransaction, type Move } from "./proof-moves.ts";
import type { EventRecord, ValidatorRecord } from "./records.ts";
import { touchPointsFrom } from "./touch-points.ts";
import type { Touched } from "./touched.ts";

/** A validator of which more became known. */
export interface Subject {
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

/** The old rate was shown at this slot, so that the change was made after it. */
export function startOf({ previousSlot, slot }: EventRecord): number {
  return previousSlot ?? slot - 1;
}

/** Makes an event of each move that left another rate than it found. Gives the events of them all. */
export function makeSteps(
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

/** Its id holds the epoch that was believed first, and stays. */
function moveEvent({ ledger, touched }: Subject, event: EventRecord, { epoch }: Move): void {
  const madeIn = { earliest: epoch, latest: epoch };
  touched.epochs.add(event.epoch);
  const since = Math.min(epoch, event.epoch);
  Object.assign(event, { epoch, seenIn: madeIn, madeIn });
  touchEvent({ ledger, touched }, event, since);
}

/** An event changed, and with it what is told of the epochs from one on. */
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
