import { DISABLED, getU16 } from "../ledger/columns.ts";
import { isBoundaryKnown } from "../ledger/rates/boundaries.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { EventRecord } from "../ledger/event-record.ts";
import type { ValidatorRecord } from "../ledger/records.ts";
import { lastObservedRate } from "../ledger/rates/timeline.ts";
import type { EpochRange } from "../ledger/stake/membership.ts";
import { commissionPoint } from "../ledger/stake/points.ts";
import { lastObservedMev } from "../ledger/tips/timeline.ts";
import { payingStateEpoch, payingStateEpochs } from "./events/effects.ts";

/** More epochs than this are not filled: the cluster must have reported an impossible epoch. */
export const FILLED_EPOCHS_MAX = 1000;

/** null: unknown, or MEV disabled. */
export interface Commissions {
  commissionBasisPoints: number | null;
  mevCommissionBasisPoints: number | null;
  appliedCommissionBasisPoints: number | null;
  /** See {@link isPaidAt}. */
  paid: boolean | null;
  blockRevenueBasisPoints: number | null;
}

/**
 * What commissions are read from. The functions compute when first called and then keep the
 * result, so that a table of one epoch does not need every history.
 */
export interface CommissionView {
  ledger: Ledger;
  latestEpoch: number | null;
  /** Observed, or known otherwise; ascending. */
  commissionEpochs: () => readonly number[];
  /** Epochs at whose end either of two commissions may have been in force. */
  unsettled: () => ReadonlyMap<number, ReadonlySet<number>>;
  /** Epochs in whose set the validator may not have been, because no snapshot told. */
  uncertainSets: (validatorIndex: number) => readonly EpochRange[];
  /**
   * By validator index: the commission before an epoch's first change, in basis points by epoch.
   */
  begins: () => ReadonlyMap<number, ReadonlyMap<number, number>>;
}

interface Subject {
  validatorIndex: number;
  record: ValidatorRecord;
}

interface ValidatorEpoch {
  validatorIndex: number;
  epoch: number;
}

interface Recorded {
  epoch: number;
  basisPoints: number;
}

/** Commissions of a validator in an epoch; null: none is known. */
export function findCommissions(
  view: CommissionView,
  { validatorIndex, record }: Subject,
  epoch: number,
): Commissions | null {
  const last = lastEpoch(view, record);
  if (!isKnown(view, { validatorIndex, epoch }, last)) return null;
  const announcedAt = (each: number) => {
    const at = { validatorIndex, epoch: each };
    return isKnown(view, at, last) ? announcedBasisPoints(view, at, last) : null;
  };
  const mev = findAtOrBefore(view, "mev", { validatorIndex, epoch })?.basisPoints ?? null;
  return {
    commissionBasisPoints:
      findAtOrBefore(view, "inflation", { validatorIndex, epoch })?.basisPoints ?? null,
    mevCommissionBasisPoints: mev === DISABLED ? null : mev,
    appliedCommissionBasisPoints: appliedBasisPoints(view, { validatorIndex, epoch, announcedAt }),
    paid: isPaidAt(view, { validatorIndex, epoch }),
    blockRevenueBasisPoints: getU16(view.ledger.blockRevenue, epoch, validatorIndex),
  };
}

/**
 * The commission in force. An epoch without a record has one only if the records around it agree.
 * Records after `last` are ignored.
 */
function announcedBasisPoints(
  view: CommissionView,
  at: ValidatorEpoch,
  last = Infinity,
): number | null {
  const before = findAtOrBefore(view, "inflation", at);
  if (before === null || before.epoch === at.epoch) return before?.basisPoints ?? null;
  const after = findAfter(view, at, last);
  if (after === null) return before.basisPoints;
  return beginAt(view, at.validatorIndex, after) === before.basisPoints ? before.basisPoints : null;
}

/** The commission before an epoch's first change, in basis points. */
export function beginAt(
  view: Pick<CommissionView, "begins">,
  validatorIndex: number,
  { epoch, basisPoints }: Recorded,
): number {
  return view.begins().get(validatorIndex)?.get(epoch) ?? basisPoints;
}

/** Commission that an epoch's rewards pay, in basis points; null: unknown, or nothing is paid. */
export function appliedAt(
  view: CommissionView,
  { validatorIndex, epoch }: ValidatorEpoch,
): number | null {
  const announcedAt = (each: number) => announcedBasisPoints(view, { validatorIndex, epoch: each });
  return appliedBasisPoints(view, { validatorIndex, epoch, announcedAt });
}

/** Like {@link appliedAt}, with the announced commissions from the caller. */
export function appliedBasisPoints(
  view: Pick<CommissionView, "ledger" | "unsettled" | "uncertainSets">,
  {
    validatorIndex,
    epoch,
    announcedAt,
  }: ValidatorEpoch & {
    /** Forward-filled. */
    announcedAt: (epoch: number) => number | null;
  },
): number | null {
  const states = payingStateEpochs(
    view.ledger,
    { epoch, validatorIndex },
    view.uncertainSets(validatorIndex),
  );
  const [rate = null, ...others] = states.map((state) =>
    state !== null && isSettled(view, { validatorIndex, epoch: state }) ? announcedAt(state) : null,
  );
  return others.every((other) => other === rate) ? rate : null;
}

/** Whether the epoch's rewards are paid; false: the validator is in no set that decides them. */
export function isPaidAt({ ledger }: Pick<CommissionView, "ledger">, at: ValidatorEpoch): boolean {
  return payingStateEpoch(ledger, at) !== null;
}

function isSettled(
  view: Pick<CommissionView, "ledger" | "unsettled">,
  at: ValidatorEpoch,
): boolean {
  return (
    view.unsettled().get(at.validatorIndex)?.has(at.epoch) !== true &&
    isBoundaryKnown(view.ledger, at)
  );
}

/** Epochs, by validator, that ended during a change whose transaction is unknown. */
export function findUnsettled({
  events,
  withdrawn,
  proved,
}: Pick<Ledger, "events" | "withdrawn" | "proved">): ReadonlyMap<number, ReadonlySet<number>> {
  const unsettled = new Map<number, Set<number>>();
  // A ruling withdraws the event, not the values around it.
  for (const { validatorIndex, madeIn } of [...events, ...withdrawn]) {
    const epochs = unsettled.get(validatorIndex) ?? new Set();
    for (let epoch = madeIn.earliest; epoch < madeIn.latest; epoch += 1)
      if (getU16(proved, epoch, validatorIndex) === null) epochs.add(epoch);
    if (epochs.size > 0) unsettled.set(validatorIndex, epochs);
  }
  return unsettled;
}

/**
 * By validator index and epoch, the inflation commission before the epoch's first confirmed
 * change, in basis points. Withdrawn events count too.
 */
export function findBegins({
  events,
  withdrawn,
}: Pick<Ledger, "events" | "withdrawn">): ReadonlyMap<number, ReadonlyMap<number, number>> {
  const begins = new Map<number, Map<number, number>>();
  const slotOf = ({ transaction, slot }: EventRecord) => transaction?.slot ?? slot;
  const newestFirst = [...events, ...withdrawn].sort((a, b) => slotOf(b) - slotOf(a));
  for (const { validatorIndex, source, confirmed, replacedBy, epoch, from } of newestFirst) {
    if (source !== "COMMISSION" || !confirmed || replacedBy !== null || typeof from !== "number")
      continue;
    const own = begins.get(validatorIndex) ?? new Map<number, number>();
    begins.set(validatorIndex, own.set(epoch, from));
  }
  return begins;
}

/**
 * The newest epoch or, for a validator that left, the last in which it was seen: it is paid
 * nothing after that.
 */
export function lastEpoch(view: CommissionView, record: ValidatorRecord): number {
  return record.listed ? (view.latestEpoch ?? record.seen.epoch) : record.seen.epoch;
}

function isKnown(view: CommissionView, at: ValidatorEpoch, last: number): boolean {
  if (at.epoch > last) return false;
  const before = [findAtOrBefore(view, "inflation", at), findAtOrBefore(view, "mev", at)];
  return before.some((found) => found !== null && at.epoch - found.epoch <= FILLED_EPOCHS_MAX);
}

/** The value of the epoch, or of the last one before that has a record. */
function findAtOrBefore(
  view: CommissionView,
  source: "inflation" | "mev",
  { validatorIndex, epoch: upTo }: ValidatorEpoch,
): Recorded | null {
  const observed = findObserved(view.ledger, source, { validatorIndex, epoch: upTo });
  const epochs = view.commissionEpochs();
  for (let index = countUpTo(epochs, upTo) - 1; index >= 0; index -= 1) {
    const epoch = epochs[index] ?? -1;
    if (observed !== null && epoch < observed.epoch) break;
    const basisPoints = commissionPoint(view.ledger, source, { epoch, validatorIndex });
    if (basisPoints !== null) return { epoch, basisPoints };
  }
  return observed;
}

function findObserved(
  { validators }: Ledger,
  source: "inflation" | "mev",
  { validatorIndex, epoch }: ValidatorEpoch,
): Recorded | null {
  const validator = validators[validatorIndex];
  if (validator === undefined) return null;
  if (source === "inflation") return lastObservedRate(validator, epoch);
  const last = lastObservedMev(validator, epoch);
  return (
    last && { epoch: last.epoch, basisPoints: last.rate === "disabled" ? DISABLED : last.rate }
  );
}

function findAfter(
  view: CommissionView,
  { validatorIndex, epoch: after }: ValidatorEpoch,
  last: number,
): Recorded | null {
  const runs = view.ledger.validators[validatorIndex]?.rates.runs ?? [];
  const next = runs.find(({ from }) => from.epoch > after && from.epoch <= last);
  const upTo = next?.from.epoch ?? last;
  const epochs = view.commissionEpochs();
  for (let index = countUpTo(epochs, after); index < epochs.length; index += 1) {
    const epoch = epochs[index] ?? Infinity;
    if (epoch > upTo) break;
    const basisPoints = commissionPoint(view.ledger, "inflation", { epoch, validatorIndex });
    if (basisPoints !== null) return { epoch, basisPoints };
  }
  return next === undefined ? null : { epoch: next.from.epoch, basisPoints: next.basisPoints };
}

function countUpTo(epochs: readonly number[], last: number): number {
  let [low, high] = [0, epochs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((epochs[middle] ?? Infinity) <= last) low = middle + 1;
    else high = middle;
  }
  return low;
}
