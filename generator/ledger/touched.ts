import type { Severity } from "../contract/event.ts";
import type { Ledger } from "./ledger.ts";
import { commissionPoint } from "./stake/points.ts";
import { trackedEpochs } from "./tracked-epochs.ts";

/** What to render again: validator indexes or epochs. */
export interface Touched {
  profiles: Set<number>;
  events: Set<number>;
  /** Validators with events that differ in more than their costs, which no feed shows. */
  feeds: Set<number>;
  commissions: Set<number>;
  stakes: Set<number>;
  uptime: Set<number>;
  locations: Set<number>;
  /** Validators with other runs, proofs or samples: their events are made anew. */
  changes: Set<number>;
  /** Validators with another name: events carry it. */
  names: Set<number>;
  /** Validators with other tips in the epoch of a change, or with events whose rewards are known now. */
  costs: Set<number>;
  /** Validators with another change of block-revenue commission. */
  blockRevenue: Set<number>;
  /** Epochs whose event list changed. */
  epochs: Set<number>;
  /** Closed epochs with a changed point, and those just closed or reopened. */
  points: Set<number>;
  severities: Set<Severity>;
  /** Times of snapshots, and of the first observation of each UTC hour: lists show them. */
  times: Set<string>;
}

export function createTouched(): Touched {
  return {
    profiles: new Set(),
    events: new Set(),
    feeds: new Set(),
    commissions: new Set(),
    stakes: new Set(),
    uptime: new Set(),
    locations: new Set(),
    changes: new Set(),
    names: new Set(),
    costs: new Set(),
    blockRevenue: new Set(),
    epochs: new Set(),
    points: new Set(),
    severities: new Set(),
    times: new Set(),
  };
}

export function addTouched(touched: Touched, more: Touched): void {
  for (const part of Object.keys(touched) as (keyof Touched)[]) {
    const items: Set<unknown> = touched[part];
    for (const item of more[part]) items.add(item);
  }
}

/*
 * A record changes its epoch, later ones without a record, and the gap before it, which is filled only if both sides
 * agree (views/commissions.ts).
 */

interface Where {
  ledger: Ledger;
  touched: Touched;
}

/** Points of closed epochs. */
export function touchPointsFrom({ ledger, touched }: Where, epoch: number): void {
  const running = ledger.epochs.at(-1)?.epoch ?? epoch;
  if (epoch >= running) return;
  for (const each of trackedEpochs(ledger)) if (each >= epoch && each < running) touched.points.add(each);
}

export function touchGapBefore({ ledger, touched }: Where, validatorIndex: number, epoch: number): void {
  const isRecorded = (each: number) => commissionPoint(ledger, "inflation", { epoch: each, validatorIndex }) !== null;
  if (isRecorded(epoch - 1)) return;
  const before = trackedEpochs(ledger).filter((each) => each < epoch);
  const last = before.findLastIndex(isRecorded);
  if (last === -1) return;
  for (const each of before.slice(last + 1)) touched.points.add(each);
}
