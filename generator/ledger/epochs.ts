import { getStake, NO_STAKE_RECORDED, NOT_RECORDED, setStake, setU16 } from "./columns.ts";
import type { CheckEntry, SnapshotEntry } from "./entry.ts";
import { dropPending } from "./pending.ts";
import { assignListed, findValidator, type Step } from "./step.ts";

/** A row of the MEV vendor's latest list is of the running epoch or the one before: an older change is shown no more. */
const MEV_LIST_EPOCHS = 2;

/** Slot time is measured over the last hour: long enough to be steady, short enough to follow a new target. */
const SLOT_TIME_SPAN_MILLISECONDS = 3_600_000;

/** Opens the epoch of an accepted observation if it is new, and forgets what held only in the one before. */
export function foldEpoch(step: Step, entry: CheckEntry | SnapshotEntry): void {
  const { ledger } = step;
  const newest = ledger.epochs.at(-1);
  if (newest?.epoch === entry.epoch) newest.last = step.moment;
  if ((newest?.epoch ?? -1) >= entry.epoch) return;
  const firstSlot = entry.absoluteSlot - entry.slotIndex;
  ledger.epochs.push({ epoch: entry.epoch, firstSlot, slotsInEpoch: entry.slotsInEpoch, last: step.moment });
  step.touched.epochs.add(entry.epoch);
  for (const [ordinal, validator] of ledger.validators.entries()) {
    step.touched.profiles.add(ordinal);
    if (validator.inflation !== null || validator.mev !== null) step.touched.commissions.add(ordinal);
    const mevPendingSince = validator.pendingMev?.first.epoch ?? entry.epoch;
    if (entry.epoch - mevPendingSince >= MEV_LIST_EPOCHS) dropPending(ledger, validator, "pendingMev");
    // Activation and deactivation are of one epoch: those of an earlier one are never shown (design §4).
    assignListed(step, ordinal, {
      activatingStake: 0n,
      deactivatingStake: 0n,
      stakeAccountCount: 0,
      stakeAccountsAsOf: null,
    });
  }
}

/** One stake point for each validator and epoch, from the first accepted observation of the epoch that shows it. */
export function foldStakePoints(step: Step, entry: CheckEntry | SnapshotEntry): void {
  const { ledger } = step;
  const known = entry.votes.flatMap((row) => {
    const found = findValidator(ledger, row.vote);
    return found === null ? [] : [{ ordinal: found.ordinal, row }];
  });
  if (known.every(({ ordinal }) => getStake(ledger.stakes, entry.epoch, ordinal) !== null)) return;
  known.sort((a, b) => compareByStake(a.row, b.row));
  for (const [index, { ordinal, row }] of known.entries()) {
    if (getStake(ledger.stakes, entry.epoch, ordinal) !== null || row.activeStake >= NO_STAKE_RECORDED) continue;
    setStake(ledger.stakes, entry.epoch, ordinal, row.activeStake);
    setU16(ledger.ranks, entry.epoch, ordinal, Math.min(index + 1, NOT_RECORDED - 1), NOT_RECORDED);
    step.touched.stakes.add(ordinal);
  }
}

/** Active stake descending, ties by vote account. */
export function compareByStake(
  a: { activeStake: bigint; vote: string },
  b: { activeStake: bigint; vote: string },
): number {
  if (a.activeStake !== b.activeStake) return a.activeStake > b.activeStake ? -1 : 1;
  return a.vote < b.vote ? -1 : Number(a.vote > b.vote);
}

/** Keeps the ends of the span over which slot time is measured. */
export function foldSlotTime(step: Step, entry: SnapshotEntry): void {
  const { ledger } = step;
  const oldest = Date.parse(entry.time) - SLOT_TIME_SPAN_MILLISECONDS;
  const rising = ledger.slotTimeAnchors.filter((anchor) => anchor.absoluteSlot < entry.absoluteSlot);
  const recent = rising.filter((anchor) => Date.parse(anchor.time) >= oldest);
  // After a gap longer than the span the last anchor still measures, and better than nothing.
  const kept = recent.length > 0 ? recent : rising.slice(-1);
  ledger.slotTimeAnchors = [...kept, { time: entry.time, absoluteSlot: entry.absoluteSlot }];
}

/** Measured duration of a slot in milliseconds; null until two snapshots are apart. */
export function measureSlotMilliseconds(anchors: readonly { time: string; absoluteSlot: number }[]): number | null {
  const [first, last] = [anchors.at(0), anchors.at(-1)];
  if (first === undefined || last === undefined || last.absoluteSlot <= first.absoluteSlot) return null;
  const milliseconds = (Date.parse(last.time) - Date.parse(first.time)) / (last.absoluteSlot - first.absoluteSlot);
  const rounded = Math.round(milliseconds * 1000) / 1000;
  return rounded > 0 ? rounded : null;
}
