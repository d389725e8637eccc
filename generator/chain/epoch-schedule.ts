/** Each next warm-up epoch is twice as long (MINIMUM_SLOTS_PER_EPOCH of the runtime). */
export const WARMUP_FIRST_EPOCH_SLOTS = 32;

/** As of getEpochSchedule. */
export interface EpochSchedule {
  slotsPerEpoch: number;
  /** 0 without a warm-up. */
  firstNormalEpoch: number;
  firstNormalSlot: number;
}

/** Absolute. */
export function firstSlotOf(schedule: EpochSchedule, epoch: number): number {
  const { slotsPerEpoch, firstNormalEpoch, firstNormalSlot } = schedule;
  if (epoch < firstNormalEpoch) return firstWarmupSlot(epoch);
  return firstNormalSlot + (epoch - firstNormalEpoch) * slotsPerEpoch;
}

/** Absolute slot. */
export function epochOf(
  { slotsPerEpoch, firstNormalEpoch, firstNormalSlot }: EpochSchedule,
  slot: number,
): number {
  if (slot >= firstNormalSlot)
    return firstNormalEpoch + Math.floor((slot - firstNormalSlot) / slotsPerEpoch);
  return Math.floor(Math.log2(slot / WARMUP_FIRST_EPOCH_SLOTS + 1));
}

export function firstWarmupSlot(epoch: number): number {
  return (2 ** epoch - 1) * WARMUP_FIRST_EPOCH_SLOTS;
}
