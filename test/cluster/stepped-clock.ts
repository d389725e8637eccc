/** Time for a generator that is not waited for. */
export interface SteppedClock {
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  /** Milliseconds since the start. */
  timer: () => number;
  /** At once: the clock steps to `time` unless it has passed; rejects with the signal's reason. */
  sleepUntil: (time: number, signal?: AbortSignal) => Promise<void>;
  pass: (milliseconds: number) => void;
}

/** Stands still until somebody sleeps: equal questions are asked at equal times. */
export function createSteppedClock(startsAt: number): SteppedClock {
  let time = startsAt;
  return {
    now: () => time,
    // Slept time has passed, or the first moments would use up every call budget.
    timer: () => time - startsAt,
    sleepUntil(until, signal) {
      if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
      time = Math.max(time, until);
      return Promise.resolve();
    },
    pass: (milliseconds) => void (time += milliseconds),
  };
}
