import type { Calendar, Moment } from "./calendar.ts";

/** A stretch of one epoch, in slots since its start; the last one is not part of it. */
export interface Window {
  fromSlotIndex: number;
  toSlotIndex: number;
}

/** How long something lasts: a share of the epoch, but never so short that a check each minute misses it. */
export interface Length {
  epochs: number;
  leastMilliseconds: number;
}

/** Even in a very short epoch nothing lasts longer than this share of it. */
const LONGEST_EPOCHS = 0.15;

/** A window that begins at a fraction of the epoch and ends within it. */
export function toWindow(calendar: Calendar, fraction: number, { epochs, leastMilliseconds }: Length): Window {
  const { slotsPerEpoch } = calendar.schedule;
  const fromSlotIndex = calendar.slotIndexAt(fraction);
  const wanted = Math.max(calendar.slotIndexAt(epochs), calendar.slotsIn(leastMilliseconds));
  const slots = Math.min(wanted, calendar.slotIndexAt(LONGEST_EPOCHS));
  return { fromSlotIndex, toSlotIndex: Math.min(fromSlotIndex + slots, slotsPerEpoch) };
}

export function isWithin(window: Window, { slotIndex }: Pick<Moment, "slotIndex">): boolean {
  return slotIndex >= window.fromSlotIndex && slotIndex < window.toSlotIndex;
}
