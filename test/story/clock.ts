/* The story's cluster: minute 0 is the first of FIRST_EPOCH, and its slots take 200 ms. */

export const FIRST_EPOCH = 1100;
export const MINUTES_IN_EPOCH = 120;
export const SLOTS_A_MINUTE = 300;
export const SLOTS_IN_EPOCH = MINUTES_IN_EPOCH * SLOTS_A_MINUTE;
const BEGIN = Date.parse("2026-11-20T10:00:00.000Z");

export function timeAt(minute: number): string {
  return new Date(BEGIN + Math.round(minute * 60_000)).toISOString();
}

export function slotAt(minute: number): number {
  return FIRST_EPOCH * SLOTS_IN_EPOCH + Math.round(minute * SLOTS_A_MINUTE);
}

export function epochAt(minute: number): number {
  return Math.floor(slotAt(minute) / SLOTS_IN_EPOCH);
}

export const minutes = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
