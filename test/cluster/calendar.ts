import type { ClusterOptions } from "./options.ts";

/** Of the shortest warm-up epoch. */
const SLOTS_PER_EPOCH_AT_GENESIS = 32;

/** As getEpochSchedule answers it. */
export interface EpochSchedule {
  slotsPerEpoch: number;
  leaderScheduleSlotOffset: number;
  warmup: boolean;
  firstNormalEpoch: number;
  firstNormalSlot: number;
}

export interface Moment {
  epoch: number;
  /** Epochs since the story's first one. */
  ordinal: number;
  /** Slots since the epoch's start. */
  slotIndex: number;
  slot: number;
  /** Epochs since the story began, with a fraction. */
  position: number;
}

export interface Calendar {
  schedule: EpochSchedule;
  /** Before the story its first slot stands. */
  momentAt(timeMilliseconds: number): Moment;
  momentOfSlot(slot: number): Moment;
  /** Epoch milliseconds. */
  timeOf(ordinal: number, slotIndex: number): number;
  firstSlotOf(epoch: number): number;
  slotIndexAt(fraction: number): number;
  slotsIn(milliseconds: number): number;
}

/** Only testnet began with short epochs, which shifts its slot numbers. */
export function createCalendar(options: ClusterOptions): Calendar {
  const { startsAt, firstEpoch, epochMilliseconds, slotsPerEpoch } = options;
  const schedule = createSchedule(slotsPerEpoch, options.network === "testnet");
  const firstSlotOf = (epoch: number) =>
    schedule.firstNormalSlot + (epoch - schedule.firstNormalEpoch) * schedule.slotsPerEpoch;
  const firstSlot = firstSlotOf(firstEpoch);

  function momentOfSlot(slot: number): Moment {
    const elapsed = Math.max(slot - firstSlot, 0);
    const ordinal = Math.floor(elapsed / slotsPerEpoch);
    const slotIndex = elapsed % slotsPerEpoch;
    return {
      epoch: firstEpoch + ordinal,
      ordinal,
      slotIndex,
      slot: firstSlot + elapsed,
      position: elapsed / slotsPerEpoch,
    };
  }

  function momentAt(timeMilliseconds: number): Moment {
    const elapsed = Math.max(timeMilliseconds - startsAt, 0);
    const ordinal = Math.floor(elapsed / epochMilliseconds);
    const slotIndex = Math.floor(
      ((elapsed - ordinal * epochMilliseconds) * slotsPerEpoch) / epochMilliseconds,
    );
    return momentOfSlot(firstSlot + ordinal * slotsPerEpoch + slotIndex);
  }

  return {
    schedule,
    momentAt,
    momentOfSlot,
    timeOf: (ordinal, slotIndex) =>
      startsAt +
      ordinal * epochMilliseconds +
      Math.ceil((slotIndex * epochMilliseconds) / slotsPerEpoch),
    firstSlotOf,
    slotIndexAt: (fraction) => Math.ceil(fraction * slotsPerEpoch),
    slotsIn: (milliseconds) => Math.ceil((milliseconds * slotsPerEpoch) / epochMilliseconds),
  };
}

function createSchedule(slotsPerEpoch: number, warmup: boolean): EpochSchedule {
  const fixed = { slotsPerEpoch, leaderScheduleSlotOffset: slotsPerEpoch, warmup };
  if (!warmup) return { ...fixed, firstNormalEpoch: 0, firstNormalSlot: 0 };
  const firstNormalEpoch = Math.ceil(Math.log2(slotsPerEpoch / SLOTS_PER_EPOCH_AT_GENESIS));
  return {
    ...fixed,
    firstNormalEpoch,
    firstNormalSlot: (2 ** firstNormalEpoch - 1) * SLOTS_PER_EPOCH_AT_GENESIS,
  };
}

/** `toSlotIndex` excluded. */
export interface Window {
  fromSlotIndex: number;
  toSlotIndex: number;
}

/** Long enough for a check each minute to see it. */
export interface Length {
  epochs: number;
  leastMilliseconds: number;
}

/** Limits `leastMilliseconds` in a very short epoch. */
const LONGEST_EPOCHS = 0.15;

/** The window ends within the epoch. */
export function toWindow(
  calendar: Calendar,
  fraction: number,
  { epochs, leastMilliseconds }: Length,
): Window {
  const { slotsPerEpoch } = calendar.schedule;
  const fromSlotIndex = calendar.slotIndexAt(fraction);
  const wanted = Math.max(calendar.slotIndexAt(epochs), calendar.slotsIn(leastMilliseconds));
  const slots = Math.min(wanted, calendar.slotIndexAt(LONGEST_EPOCHS));
  return { fromSlotIndex, toSlotIndex: Math.min(fromSlotIndex + slots, slotsPerEpoch) };
}

export function isWithin(window: Window, { slotIndex }: Pick<Moment, "slotIndex">): boolean {
  return slotIndex >= window.fromSlotIndex && slotIndex < window.toSlotIndex;
}
