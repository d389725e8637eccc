import type { Reading } from "../answers/answer.ts";
import { soonest } from "./deadline.ts";

/** Least time between two readings of one object. */
export const FRESH_MILLISECONDS = 15_000;
/** Older than this, a request waits a little for the new reading, unless the source is failing. */
export const OVERDUE_MILLISECONDS = 60_000;
/** What a request waits at most for a newer value than the one that is held. */
export const PATIENCE_MILLISECONDS = 1_000;
/** Longest times between the tries while the source fails, the last one for all that follow. See {@link toRetryDelay}. */
export const RETRY_MILLISECONDS = [2_000, 4_000, 8_000, 15_000] as const;

interface HeldOptions<Value> {
  /** Reads the value anew; gets the one held, to hand it back if nothing changed. It must end: it has a deadline. */
  load: (held: Value | undefined) => Promise<Value>;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** From 0 up to 1, for the spacing of the tries. */
  random?: () => number;
  /** Told how each reading ended. */
  onSuccess?: () => void;
  onFailure?: (error: unknown) => void;
}

/** One value of the store, held in memory. */
export interface Held<Value> {
  /** The value, revalidated in the background. Throws what the store threw if nothing was ever read. */
  get(): Promise<Reading<Value>>;
}

/**
 * Holds one value and reads it anew when it is asked for: at most every 15 s, never twice at a time. While the source
 * fails or hangs the last value is served, however old, marked stale and with its age. The age is told only of what was
 * not confirmed in time: a cache on the way takes it off max-age (RFC 9111 §4.2.3), and 15 s are what the events have.
 */
export function createHeld<Value>(options: HeldOptions<Value>): Held<Value> {
  const { load, now, random = Math.random, onSuccess, onFailure } = options;
  let held: { value: Value; confirmedAt: number } | undefined;
  let failure: { error: unknown; inARow: number } | undefined;
  let triedAt = -Infinity;
  let dueAfter = 0;
  let running: Promise<void> | undefined;
  /** Over when the reading is, or when it was waited for long enough: for all who wait together, and those who come later. */
  let patience: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    triedAt = now();
    const startedAt = triedAt;
    try {
      const value = await load(held?.value);
      // What the store says it said when it was asked, not when the last byte came.
      held = { value, confirmedAt: startedAt };
      failure = undefined;
      dueAfter = FRESH_MILLISECONDS;
      onSuccess?.();
    } catch (error) {
      failure = { error, inARow: (failure?.inARow ?? 0) + 1 };
      triedAt = now();
      dueAfter = toRetryDelay(failure.inARow, random);
      onFailure?.(error);
    }
  }

  function isDue(time: number): boolean {
    // A clock that was set back must not keep a value for an hour.
    return time - triedAt >= dueAfter || time < triedAt;
  }

  function isOverdue(time: number): boolean {
    return held !== undefined && time - held.confirmedAt >= OVERDUE_MILLISECONDS;
  }

  function current(): Reading<Value> {
    if (held === undefined) throw failure?.error;
    const time = now();
    const age = Math.max(0, time - held.confirmedAt);
    const ageSeconds = age < FRESH_MILLISECONDS ? 0 : Math.floor(age / 1_000);
    const stale = failure !== undefined || isOverdue(time);
    // What is held changes only by a reading, and the next one begins when it is due.
    const freshUntil = stale || running !== undefined ? 0 : triedAt + dueAfter;
    return { value: held.value, stale, ageSeconds, freshUntil };
  }

  return {
    async get() {
      const time = now();
      if (running === undefined && isDue(time)) running = refresh().finally(() => (running = patience = undefined));
      if (running !== undefined) {
        if (held === undefined) await running;
        else if (failure === undefined && isOverdue(time)) await (patience ??= soonest(running, PATIENCE_MILLISECONDS));
      }
      return current();
    },
  };
}

/**
 * Milliseconds until the next try: drawn from the upper half of the longest time, so that many objects of many processes
 * do not come at once to a store that has just come back.
 */
export function toRetryDelay(failuresInARow: number, random: () => number): number {
  const longest = RETRY_MILLISECONDS[Math.min(failuresInARow, RETRY_MILLISECONDS.length) - 1] ?? RETRY_MILLISECONDS[0];
  return longest * (1 - random() / 2);
}
