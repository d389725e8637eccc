import type { Ledger } from "./ledger.ts";
import { commissionPoint } from "./stake/points.ts";
import { trackedEpochs } from "./tracked-epochs.ts";

/**
 * What an entry changed: it is computed and rendered again. Sets of validators hold their indexes.
 */
export interface Touched {
  /**
   * Validators with another rate, tip account, proof, sample or name: their events are made anew.
   */
  events: Set<number>;
  /** Validators with another point in the history of their commissions or stakes. */
  histories: Set<number>;
  /**
   * Validators of which something else that documents show is another, or what prices their events.
   */
  profiles: Set<number>;
  /** Validators whose events cost another amount, which no feed shows. */
  prices: Set<number>;
  uptime: Set<number>;
  /** Epochs whose list of events changed. */
  epochs: Set<number>;
  /** Epochs that a restarted cluster runs again, or has not reached again. */
  undone: Set<number>;
  /** The first epoch with another point of any history; Infinity: none. */
  pointsSince: number;
  /** Number of the first new change of events (change-log.ts); Infinity: none. */
  changesSince: number;
  /** Whether there was a snapshot, or a UTC hour began: lists show when. */
  isTimeShown: boolean;
}

export function createTouched(): Touched {
  return {
    events: new Set(),
    histories: new Set(),
    profiles: new Set(),
    prices: new Set(),
    uptime: new Set(),
    epochs: new Set(),
    undone: new Set(),
    pointsSince: Infinity,
    changesSince: Infinity,
    isTimeShown: false,
  };
}

export function uniteTouched(one: Touched, other: Touched): Touched {
  return {
    events: one.events.union(other.events),
    histories: one.histories.union(other.histories),
    profiles: one.profiles.union(other.profiles),
    prices: one.prices.union(other.prices),
    uptime: one.uptime.union(other.uptime),
    epochs: one.epochs.union(other.epochs),
    undone: one.undone.union(other.undone),
    pointsSince: Math.min(one.pointsSince, other.pointsSince),
    changesSince: Math.min(one.changesSince, other.changesSince),
    isTimeShown: one.isTimeShown || other.isTimeShown,
  };
}

/**
 * A record changes its epoch, later ones without a record, and the gap before
 * it, which is filled only if both sides agree (views/commissions.ts).
 * @param since the first epoch with another record
 */
export function touchHistory(
  { ledger, touched }: { ledger: Ledger; touched: Touched },
  validatorIndex: number,
  since: number,
): void {
  touched.histories.add(validatorIndex);
  touched.pointsSince = Math.min(touched.pointsSince, findGap(ledger, validatorIndex, since));
}

/** The first epoch of the gap before an epoch; the epoch itself if there is none. */
function findGap(ledger: Ledger, validatorIndex: number, epoch: number): number {
  const isRecorded = (each: number) =>
    commissionPoint(ledger, "inflation", { epoch: each, validatorIndex }) !== null;
  if (isRecorded(epoch - 1)) return epoch;
  const last = trackedEpochs(ledger).findLast((each) => each < epoch && isRecorded(each));
  return last === undefined ? epoch : last + 1;
}
