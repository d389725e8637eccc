import type { AgreedRates } from "../../agree/rates.ts";
import type { AgreedCheck, AgreedSnapshot } from "../../agree/agree.ts";
import { getU16, NOT_RECORDED, setU16 } from "../columns.ts";
import { isCovered, type Span } from "../proof/coverage.ts";
import { mayBeReopened } from "../proof/withdrawals.ts";
import type { Ledger } from "../ledger.ts";
import { isOfItsEpoch } from "../stake/membership.ts";
import type { Moment, ValidatorRecord } from "../records.ts";
import type { Found, Step } from "../step.ts";
import { newestRate } from "./timeline.ts";
import { type Touched, touchHistory } from "../touched.ts";
import { lastSlotOf } from "../schedule.ts";

/*
 * Rewards pay the rate at the end of an epoch. That rate is known if it was read just before and
 * just after the end, or if searches cover the slots since it was last read. Otherwise it may have
 * been any rate.
 */

/**
 * As long as a burst of checks: from 10 s before an
 * epoch's end until 60 s after it (service/schedule.ts).
 */
const BURST_MILLISECONDS = 70_000;

/** A longer gap means that the cluster reported an impossible epoch. */
const ENDS_MOST = 1_000;

/*
 * A stored value is a bit and a distance: from the last reading to the end of the epoch, in units;
 * the most if no search can tell.
 */

/** Readings on both sides of the end lie within a burst. */
export const WATCHED = 0x8000;
const DISTANCE = 0x7fff;
const UNIT_SLOTS = 32;
/** Largest storable distance, for all beyond it too: over two epochs of mainnet. */
const UNITS_MOST = 0x7ffe;

interface ValidatorEpoch {
  validatorIndex: number;
  epoch: number;
}

type Ends = Pick<Ledger, "boundaries" | "proved" | "validators" | "epochs">;

/** Whether the rate at the end of an epoch is known. It never is if the end was not observed. */
export function isBoundaryKnown(ledger: Ends, { epoch, validatorIndex }: ValidatorEpoch): boolean {
  if (getU16(ledger.proved, epoch, validatorIndex) !== null) return true;
  const value = getU16(ledger.boundaries, epoch, validatorIndex);
  const validator = ledger.validators[validatorIndex];
  if (value === null || validator === undefined) return false;
  const unread = toUnread(lastSlotOf(ledger, epoch), value);
  // A certain transaction would prove the rate, so this one leaves it unknown.
  const isMoved = validator.rateProofs.some(
    ({ slot, isDisputed }) => !isDisputed && slot > unread.after && slot <= unread.upTo,
  );
  if (isMoved) return false;
  return (
    (value & WATCHED) !== 0 || ((value & DISTANCE) < UNITS_MOST && isCovered(validator, unread))
  );
}

function toUnread(end: number, value: number): Span {
  return { after: end - (value & DISTANCE) * UNIT_SLOTS, upTo: end };
}

/**
 * Records how an epoch's end was watched. Call it for an accepted observation, before its
 * commissions are folded. A disputed commission is no reading.
 */
export function foldBoundaries(
  step: Step,
  entry: AgreedCheck | AgreedSnapshot,
  { found, rates }: { found: readonly Found<unknown>[]; rates: AgreedRates },
): void {
  // Another list may be of the epoch before.
  if (!isOfItsEpoch(entry)) return;
  for (const { rowIndex, validatorIndex, validator } of found) {
    if ((rates.listed[rowIndex]?.agreed ?? null) === null) continue;
    const { read } = validator.rates;
    if (read !== null && read.epoch < step.moment.epoch)
      crossEnds(step, validatorIndex, { validator, read });
    validator.rates.read = step.moment;
  }
}

function crossEnds(
  step: Step,
  validatorIndex: number,
  { validator, read }: { validator: ValidatorRecord; read: Moment },
): void {
  const { ledger, moment } = step;
  const first = Math.max(read.epoch, moment.epoch - ENDS_MOST);
  for (let epoch = first; epoch < moment.epoch; epoch += 1) {
    // Given up before (unwatchEnds); the readings since then do not tell more.
    if (getU16(ledger.boundaries, epoch, validatorIndex) !== null) continue;
    const end = lastSlotOf(ledger, epoch);
    const last = findLast([read, newestRate(validator)?.until ?? read], end);
    const isWatched = Date.parse(moment.time) - Date.parse(last.time) <= BURST_MILLISECONDS;
    recordEnd(step, validatorIndex, { epoch, validator, lastRead: last.slot, isWatched });
  }
  touchHistory(step, validatorIndex, first);
}

/**
 * Records that no reading watched the ends since the current rate was last read: another rate was
 * answered meanwhile and is now given up, so either may have been in force. Call it before the
 * current run is extended.
 */
export function unwatchEnds(step: Step, validatorIndex: number): void {
  const validator = step.ledger.validators[validatorIndex];
  const until = validator && newestRate(validator)?.until;
  if (validator === undefined || until === undefined || until.epoch >= step.moment.epoch) return;
  const first = Math.max(until.epoch, step.moment.epoch - ENDS_MOST);
  for (let epoch = first; epoch < step.moment.epoch; epoch += 1)
    recordEnd(step, validatorIndex, { epoch, validator, lastRead: until.slot, isWatched: false });
  touchHistory(step, validatorIndex, first);
}

interface End {
  epoch: number;
  validator: ValidatorRecord;
  /** Slot. */
  lastRead: number;
  isWatched: boolean;
}

function recordEnd(
  { ledger }: Step,
  validatorIndex: number,
  { epoch, validator, lastRead, isWatched }: End,
): void {
  const end = lastSlotOf(ledger, epoch);
  const unread = Math.min(UNITS_MOST, Math.max(0, Math.ceil((end - lastRead) / UNIT_SLOTS)));
  const isLost = !isWatched && mayBeReopened(validator, { after: lastRead, upTo: end });
  const value = (isLost ? UNITS_MOST : unread) | (isWatched ? WATCHED : 0);
  setU16(ledger.boundaries, epoch, validatorIndex, value, NOT_RECORDED);
}

/**
 * Records that the ends of epochs after a withdrawal stay unknown. It may have closed the account,
 * and any rate may have opened it again without the withdraw authority, which no search shows.
 */
export function loseEnds(
  { ledger, touched }: { ledger: Ledger; touched: Touched },
  validatorIndex: number,
  { slot: withdrawnAt, epoch: since }: { slot: number; epoch: number },
): void {
  for (const epoch of ledger.boundaries.keys()) {
    const value = getU16(ledger.boundaries, epoch, validatorIndex);
    if (epoch < since || value === null || (value & WATCHED) !== 0) continue;
    const { after, upTo } = toUnread(lastSlotOf(ledger, epoch), value);
    if (withdrawnAt <= after || withdrawnAt > upTo) continue;
    setU16(ledger.boundaries, epoch, validatorIndex, UNITS_MOST, NOT_RECORDED);
    touchHistory({ ledger, touched }, validatorIndex, epoch);
  }
}

function findLast([read, ...others]: [Moment, ...Moment[]], end: number): Moment {
  return others.reduce(
    (last, other) => (other.slot <= end && other.slot > last.slot ? other : last),
    read,
  );
}

/** Touches histories whose ends of epochs a search of this authority may have settled. */
export function touchEnds(
  { ledger, touched }: { ledger: Ledger; touched: Touched },
  authority: string,
  { after, upTo }: Span,
): void {
  const ends = [...ledger.boundaries.keys()].filter((epoch) => {
    const end = lastSlotOf(ledger, epoch);
    return end >= after && end - UNITS_MOST * UNIT_SLOTS <= upTo;
  });
  for (const [validatorIndex, { authorities }] of ledger.validators.entries()) {
    if (!authorities.some(({ key }) => key === authority)) continue;
    const settled = ends.filter(
      (epoch) => ((getU16(ledger.boundaries, epoch, validatorIndex) ?? WATCHED) & WATCHED) === 0,
    );
    if (settled.length === 0) continue;
    touchHistory({ ledger, touched }, validatorIndex, Math.min(...settled));
  }
}
