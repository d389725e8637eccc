import type { EpochReading } from "../../generator/contract/epoch.ts";
import { estimateSlot, type EpochInfo } from "../../generator/rpc/epoch.ts";

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
  const expected = estimateSlot({ reading: earlier, now });
  if (info.absoluteSlot - expected > info.slotsInEpoch)
    throw new Error(`the cluster is at slot ${info.absoluteSlot}, an epoch before the ${expected} to be expected`);
}
