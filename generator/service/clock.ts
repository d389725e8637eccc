import { setTimeout as sleep } from "node:timers/promises";

/** Where a command has its time from. The demo runs a story's time, faster than the world's. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  /** Milliseconds from any beginning, for deadlines and call budgets: never goes back, passes as fast as the world's or faster. */
  timer: () => number;
  /** Resolves when the clock reads `time`, at once if it has passed; rejects with the signal's reason when aborted. */
  sleepUntil: (time: number, signal?: AbortSignal) => Promise<void>;
}

/** The time of the world. */
export function createSystemClock(): Clock {
  // eslint-disable-next-line no-restricted-properties -- the composition root is where the clock comes from
  const now = () => Date.now();
  return {
    now,
    timer: () => performance.now(),
    sleepUntil: (time, signal) => sleep(Math.max(0, time - now()), undefined, signal && { signal }),
  };
}
