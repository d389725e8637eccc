import type { Ledger } from "./ledger.ts";
import { commissionPoint } from "./stake/points.ts";
import { trackedEpochs } from "./tracked-epochs.ts";

/**
 * What an entry changed and must be computed and rendered again. Sets of validators hold indexes.
 */
export interface Touched {
  /**
   * Validators with a new rate, tip account, proof, sample or name: their events are derived
   * again.
   */
  events: Set<number>;
  /** Validators with a changed point in their history of commissions or stakes. */
  histories: Set<number>;
  /**
   * Validators with another changed fact that documents show or that the cost of their events
   * needs.
   */
  profiles: Set<number>;
  /** Validators whose events have a new cost, which no feed shows. */
  costs: Set<number>;
  uptime: Set<number>;
  /** Months whose uptime changed, UTC, `YYYY-MM`. */
  months: Set<string>;
  /** Epochs whose row or list of events changed. */
  epochs: Set<number>;
  /** Epochs that a restarted cluster runs again or has not yet reached again. */
  undone: Set<number>;
  /** The first epoch in which any history has a changed point; Infinity: none. */
  pointsSince: number;
  /** Number of the first new change of events (change-log.ts); Infinity: none. */
  changesSince: number;
  /** There was a snapshot, or a UTC hour began, so lists show a new time. */
  isTimeTouched: boolean;
}

/** The value before an entry is folded: nothing is touched. */
export function createTouched(): Touched {
  return {
    events: new Set(),
    histories: new Set(),
    profiles: new Set(),
    costs: new Set(),
    uptime: new Set(),
    months: new Set(),
    epochs: new Set(),
    undone: new Set(),
    pointsSince: Infinity,
    changesSince: Infinity,
    isTimeTouched: false,
  };
}

/** What either of two entries touched; neither argument is changed. */
export function uniteTouched(one: Touched, other: Touched): Touched {
  return {
    events: one.events.union(other.events),
    histories: one.histories.union(other.histories),
    profiles: one.profiles.union(other.profiles),
    costs: one.costs.union(other.costs),
    uptime: one.uptime.union(other.uptime),
    months: one.months.union(other.months),
    epochs: one.epochs.union(other.epochs),
    undone: one.undone.union(other.undone),
    pointsSince: Math.min(one.pointsSince, other.pointsSince),
    changesSince: Math.min(one.changesSince, other.changesSince),
    isTimeTouched: one.isTimeTouched || other.isTimeTouched,
  };
}

/**
 * Touches the history of a changed epoch: the later epochs without a record, and the gap before,
 * which is filled only if both sides agree (views/commissions.ts).
 * @param since the first epoch with a changed record
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
