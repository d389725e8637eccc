import { NO_STAKE_RECORDED, NOT_RECORDED, setStake, setU16 } from "../columns.ts";
import { toCommission, toKnownBasisPoints } from "../../chain/commission.ts";
import type { HistoryEntry, HistoryPoint } from "../../entries/entry.ts";
import type { Ledger } from "../ledger.ts";
import type { ValidatorRecord } from "../records.ts";
import { findValidator } from "../step.ts";
import { type Touched, touchHistory } from "../touched.ts";

/**
 * Folds sampled values into columns of their own: an observed value always wins, whichever came
 * first (points.ts).
 */
export function foldPublicHistory(ledger: Ledger, touched: Touched, entry: HistoryEntry): void {
  const running = ledger.acceptance.newest?.epoch;
  if (running === undefined) return;
  const firstSlots = new Map(entry.epochs.filter(([epoch]) => epoch < running));
  const last = Math.max(...firstSlots.keys());
  for (const { vote, points } of entry.validators) {
    const found = findValidator(ledger, vote);
    if (found === null || firstSlots.size === 0) continue;
    const closed = points.filter(({ epoch }) => firstSlots.has(epoch));
    found.validator.history = widen(found.validator.history, {
      first: Math.min(...firstSlots.keys()),
      last,
    });
    for (const point of closed) keepPoint(ledger, found.validatorIndex, point);
    for (const { epoch } of closed)
      track(ledger, touched, { epoch, firstSlot: firstSlots.get(epoch) ?? 0 });
    if (closed.length > 0) {
      touched.events.add(found.validatorIndex);
      touchHistory(
        { ledger, touched },
        found.validatorIndex,
        Math.min(...closed.map(({ epoch }) => epoch)),
      );
    }
    seeFirst(found.validator, entry.time, Math.min(...closed.map(({ epoch }) => epoch)));
  }
}

/** Keeps a sampled point in the columns of the history, whose ranks count from 0 on the wire. */
function keepPoint({ history }: Ledger, validatorIndex: number, point: HistoryPoint): void {
  const { epoch, activeStake, rank } = point;
  const commission = toCommission({ basisPoints: null, percent: point.percent }, { isWhole: true });
  if (commission !== null)
    setU16(history.inflation, epoch, validatorIndex, commission.basisPoints, NOT_RECORDED);
  // An unset record does not mean disabled.
  const mevBasisPoints = toKnownBasisPoints(point.mevBasisPoints);
  if (mevBasisPoints !== null)
    setU16(history.mev, epoch, validatorIndex, mevBasisPoints, NOT_RECORDED);
  if (activeStake === null || activeStake >= NO_STAKE_RECORDED) return;
  setStake(history.stakes, epoch, validatorIndex, activeStake);
  if (rank !== null)
    setU16(
      history.ranks,
      epoch,
      validatorIndex,
      Math.min(rank + 1, NOT_RECORDED - 1),
      NOT_RECORDED,
    );
}

function track(
  { history }: Ledger,
  touched: Touched,
  { epoch, firstSlot }: { epoch: number; firstSlot: number },
) {
  if (history.firstSlots.get(epoch) === firstSlot) return;
  history.firstSlots.set(epoch, firstSlot);
  touched.epochs.add(epoch);
}

function seeFirst(validator: ValidatorRecord, time: string, epoch: number): void {
  if (epoch >= validator.firstEpoch) return;
  validator.firstEpoch = epoch;
  validator.updatedAt = time;
}

type Span = NonNullable<ValidatorRecord["history"]>;

function widen(known: Span | null, read: Span): Span {
  if (known === null || read.first > known.last + 1 || known.first > read.last + 1) return read;
  return { first: Math.min(known.first, read.first), last: Math.max(known.last, read.last) };
}
