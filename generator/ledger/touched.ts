import type { Severity } from "../contract/event.ts";
import type { Ledger } from "./ledger.ts";
import { commissionPoint, trackedEpochs } from "./points.ts";

/** What an entry changed, by what would have to be rendered again. Numbers are ordinals of validators, or epochs. */
export interface Touched {
  profiles: Set<number>;
  events: Set<number>;
  commissions: Set<number>;
  stakes: Set<number>;
  uptime: Set<number>;
  locations: Set<number>;
  /** Of which more transactions are known, or more is covered by searches. */
  proofs: Set<number>;
  /** Epochs whose list of events changed. */
  epochs: Set<number>;
  /** Closed epochs of which a stake, a rank or a commission changed; those that have just closed, or run again. */
  points: Set<number>;
  /** Severities of which a confirmed event changed. */
  severities: Set<Severity>;
}

export function createTouched(): Touched {
  return {
    profiles: new Set(),
    events: new Set(),
    commissions: new Set(),
    stakes: new Set(),
    uptime: new Set(),
    locations: new Set(),
    proofs: new Set(),
    epochs: new Set(),
    points: new Set(),
    severities: new Set(),
  };
}

/** Adds all of `more` to `touched`. */
export function addTouched(touched: Touched, more: Touched): void {
  for (const part of Object.keys(touched) as (keyof Touched)[]) {
    const items: Set<unknown> = touched[part];
    for (const item of more[part]) items.add(item);
  }
}

/*
 * Of which epochs what is told of a validator changes when something of it is recorded: its own, those after it, where
 * nothing else is recorded and the past goes on, and gaps before it, since what stood in a gap is only told where the same
 * was recorded on both sides (documents/commission-history.ts).
 */

interface Where {
  ledger: Ledger;
  touched: Touched;
}

/** Touches the points of the closed epochs from one on. */
export function touchPointsFrom({ ledger, touched }: Where, epoch: number): void {
  const running = ledger.epochs.at(-1)?.epoch ?? epoch;
  if (epoch >= running) return;
  for (const each of trackedEpochs(ledger)) if (each >= epoch && each < running) touched.points.add(each);
}

/** Touches the epochs just before one of which no inflation commission of a validator is recorded, if one is before them. */
export function touchGapBefore({ ledger, touched }: Where, ordinal: number, epoch: number): void {
  const isRecorded = (each: number) => commissionPoint(ledger, "inflation", { epoch: each, ordinal }) !== null;
  if (isRecorded(epoch - 1)) return;
  const before = trackedEpochs(ledger).filter((each) => each < epoch);
  const last = before.findLastIndex(isRecorded);
  if (last === -1) return;
  for (const each of before.slice(last + 1)) touched.points.add(each);
}
