import type { Reading } from "../answers/answer.ts";

/** Least time between two readings of one object. */
export const FRESH_MILLISECONDS = 15_000;
/** Older than this, a request waits for the new reading, unless the source is failing. */
export const OVERDUE_MILLISECONDS = 60_000;
/** Least time between two tries while the source fails. */
export const RETRY_MILLISECONDS = 2_000;

interface HeldOptions<Value> {
  /** Reads the value anew; gets the one held, to hand it back if nothing changed. */
  load: (held: Value | undefined) => Promise<Value>;
  /** Milliseconds since the epoch. */
  now: () => number;
  onFailure: (error: unknown) => void;
}

/** One value of the store, held in memory. */
export interface Held<Value> {
  /** The value, revalidated in the background. Throws what the store threw if nothing was ever read. */
  get(): Promise<Reading<Value>>;
}

/**
 * Holds one value and reads it anew when it is asked for: at most every 15 s, never twice at a time. While the source
 * fails the last value is served, marked stale.
 */
export function createHeld<Value>({ load, now, onFailure }: HeldOptions<Value>): Held<Value> {
  let held: { value: Value; loadedAt: number } | undefined;
  let failure: { error: unknown } | undefined;
  let triedAt = -Infinity;
  let running: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    triedAt = now();
    try {
      held = { value: await load(held?.value), loadedAt: now() };
      failure = undefined;
    } catch (error) {
      failure = { error };
      onFailure(error);
    }
    running = undefined;
  }

  function isDue(): boolean {
    return now() - triedAt >= (failure === undefined ? FRESH_MILLISECONDS : RETRY_MILLISECONDS);
  }

  function mustWait(): boolean {
    if (held === undefined) return true;
    return failure === undefined && now() - held.loadedAt >= OVERDUE_MILLISECONDS;
  }

  function current(): Reading<Value> {
    if (held === undefined) throw failure?.error;
    return { value: held.value, stale: failure !== undefined };
  }

  return {
    async get() {
      if (running === undefined && isDue()) running = refresh();
      if (running !== undefined && mustWait()) await running;
      return current();
    },
  };
}
