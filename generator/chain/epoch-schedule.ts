/** First epoch of a warm-up; each next one is twice as long (MINIMUM_SLOTS_PER_EPOCH of the runtime). */
export const WARMUP_FIRST_EPOCH_SLOTS = 32;

/** As getEpochSchedule answers: from the first normal epoch on, all are equally long. */
export interface EpochSchedule {
  slotsPerEpoch: number;
  /** 0 without a warm-up. */
  firstNormalEpoch: number;
  firstNormalSlot: number;
}

/** The first slot of an epoch. */
export function firstSlotOf(schedule: EpochSchedule, epoch: number): number {
  const { slotsPerEpoch, firstNormalEpoch, firstNormalSlot } = schedule;
  if (epoch < firstNormalEpoch) return firstWarmupSlot(epoch);
  return firstNormalSlot + (epoch - firstNormalEpoch) * slotsPerEpoch;
}

/** The epoch of a slot. */
export function epochOf({ slotsPerEpoch, firstNormalEpoch, firstNormalSlot }: EpochSchedule, slot: number): number {
  if (slot >= firstNormalSlot) return firstNormalEpoch + Math.floor((slot - firstNormalSlot) / slotsPerEpoch);
  return Math.floor(Math.log2(slot / WARMUP_FIRST_EPOCH_SLOTS + 1));
}

/** The first slot of a warm-up epoch. */
export function firstWarmupSlot(epoch: number): number {
  return (2 ** epoch - 1) * WARMUP_FIRST_EPOCH_SLOTS;
}
