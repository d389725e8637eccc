import type { Epoch, EpochReading } from "../../generator/contract/epoch.ts";
import type { EpochInfo } from "../../generator/rpc/epoch.ts";

/**
 * Progress of the epoch of a reading now, carried on by the measured slot time to the epoch's last slot and not beyond: only
 * the cluster knows when the next one began, and how long it is. Without a measured slot time the reading is shown as it is:
 * no nominal slot time is ever assumed.
 * @param now milliseconds since 1970
 * @param live whether the reading was made for this answer; false by default
 */
export function estimateEpoch(options: { reading: EpochReading; now: number; live?: boolean }): Epoch {
  const { reading, now, live = false } = options;
  const { epoch, slotsInEpoch, slotMilliseconds } = reading;
  const elapsedSlots = Math.min(countElapsedSlots(reading, now), slotsInEpoch - 1 - reading.slotIndex);
  const slotIndex = reading.slotIndex + elapsedSlots;
  const observedAt = Date.parse(reading.observedAt);
  return {
    epoch,
    slotIndex,
    slotsInEpoch,
    absoluteSlot: reading.absoluteSlot + elapsedSlots,
    progressPercent: Math.round((slotIndex * 10_000) / slotsInEpoch) / 100,
    epochStartedAt: toTime(observedAt, -reading.slotIndex, slotMilliseconds),
    epochEndsAt: toTime(observedAt, slotsInEpoch - reading.slotIndex, slotMilliseconds),
    live,
  };
}

/**
 * An earlier reading speaks against a new one for this long. A cluster that really was restarted from an older slot is
 * believed after that, as the generator believes it (ten observations over 10 minutes).
 */
export const EPOCH_DOUBT_MILLISECONDS = 600_000;

/**
 * A finalized slot never goes back, and time does not leap by an epoch, where the slot time tells what is one: a node that
 * says so is behind, or of another cluster.
 * @throws {Error} with both slots
 */
export function assertPlausible(info: EpochInfo, { earlier, now }: { earlier: EpochReading; now: number }): void {
  const age = now - Date.parse(earlier.observedAt);
  if (age < 0 || age >= EPOCH_DOUBT_MILLISECONDS) return;
  if (info.absoluteSlot < earlier.absoluteSlot)
    throw new Error(`the cluster is at slot ${info.absoluteSlot}, but was at ${earlier.absoluteSlot} before`);
  if (earlier.slotMilliseconds === null) return;
  const expected = earlier.absoluteSlot + countElapsedSlots(earlier, now);
  if (info.absoluteSlot - expected > info.slotsInEpoch)
    throw new Error(`the cluster is at slot ${info.absoluteSlot}, an epoch before the ${expected} to be expected`);
}

function countElapsedSlots({ observedAt, slotMilliseconds }: EpochReading, now: number): number {
  if (slotMilliseconds === null) return 0;
  return Math.floor(Math.max(now - Date.parse(observedAt), 0) / slotMilliseconds);
}

/** Time so many slots after an instant; null where it cannot be told, or lies outside what a date can hold. */
function toTime(instant: number, slots: number, slotMilliseconds: number | null): string | null {
  if (slotMilliseconds === null) return null;
  const date = new Date(Math.round(instant + slots * slotMilliseconds));
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
