/**
 * Slots of epoch 0 with a warm-up; each next warm-up epoch is twice as long
 * (MINIMUM_SLOTS_PER_EPOCH of the runtime).
 */
export const WARMUP_FIRST_EPOCH_SLOTS = 32;

/** How slots divide into epochs, as `getEpochSchedule` answers. */
export interface EpochSchedule {
  slotsPerEpoch: number;
  /** The first epoch of full length; 0 without a warm-up. */
  firstNormalEpoch: number;
  firstNormalSlot: number;
}

/** Returns the absolute slot with which an epoch begins. */
export function firstSlotOf(schedule: EpochSchedule, epoch: number): number {
  const { slotsPerEpoch, firstNormalEpoch, firstNormalSlot } = schedule;
  if (epoch < firstNormalEpoch) return firstWarmupSlot(epoch);
  return firstNormalSlot + (epoch - firstNormalEpoch) * slotsPerEpoch;
}

/** Returns the epoch of an absolute slot. */
export function epochOf(
  { slotsPerEpoch, firstNormalEpoch, firstNormalSlot }: EpochSchedule,
  slot: number,
): number {
  if (slot >= firstNormalSlot)
    return firstNormalEpoch + Math.floor((slot - firstNormalSlot) / slotsPerEpoch);
  return Math.floor(Math.log2(slot / WARMUP_FIRST_EPOCH_SLOTS + 1));
}

/** Returns the absolute slot with which a warm-up epoch begins. */
export function firstWarmupSlot(epoch: number): number {
  return (2 ** epoch - 1) * WARMUP_FIRST_EPOCH_SLOTS;
}
