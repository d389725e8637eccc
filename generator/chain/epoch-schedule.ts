/** Length of the first epoch of a cluster that warmed up; each one after it is twice as long (MINIMUM_SLOTS_PER_EPOCH of the runtime). */
export const WARMUP_FIRST_EPOCH_SLOTS = 32;

/** Which slots are of which epoch (getEpochSchedule): from the first normal epoch on all are equally long. */
export interface EpochSchedule {
  slotsPerEpoch: number;
  /** 0 without a warm-up. */
  firstNormalEpoch: number;
  firstNormalSlot: number;
}

/** Number of the first slot of an epoch. */
export function firstSlotOf(schedule: EpochSchedule, epoch: number): number {
  const { slotsPerEpoch, firstNormalEpoch, firstNormalSlot } = schedule;
  if (epoch < firstNormalEpoch) return firstWarmupSlot(epoch);
  return firstNormalSlot + (epoch - firstNormalEpoch) * slotsPerEpoch;
}

/** The epoch that a slot is of. */
export function epochOf({ slotsPerEpoch, firstNormalEpoch, firstNormalSlot }: EpochSchedule, slot: number): number {
  if (slot >= firstNormalSlot) return firstNormalEpoch + Math.floor((slot - firstNormalSlot) / slotsPerEpoch);
  return Math.floor(Math.log2(slot / WARMUP_FIRST_EPOCH_SLOTS + 1));
}

/** Number of the first slot of an epoch of the warm-up. */
export function firstWarmupSlot(epoch: number): number {
  return (2 ** epoch - 1) * WARMUP_FIRST_EPOCH_SLOTS;
}
