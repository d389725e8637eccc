import { RpcError } from "./error.ts";

/** Waits; injected so that tests need no real time. */
export type Sleep = (milliseconds: number) => Promise<void>;

/** What the public endpoints allow one address in any 10 seconds (Solana documentation, "Clusters"). */
const CALLS_OF_A_METHOD_MAX = 40;
const CALLS_MAX = 100;
const WINDOW_MILLISECONDS = 10_000;

/** Nothing is counted: for a server of one's own. */
export const UNLIMITED: Throttle = { take: () => Promise.resolve() };

export interface Throttle {
  /**
   * @param deadline reading of the clock, in milliseconds, that the wait must end before
   * @throws {RpcError} `resting` at once when it cannot
   */
  take(call: { method: string; deadline: number }): Promise<void>;
}

interface Taken {
  method: string;
  at: number;
}

/** The calls of one endpoint in any 10 seconds: at most 40 of a method, and 100 in all. */
export function createThrottle({ now, sleep }: { now: () => number; sleep: Sleep }): Throttle {
  let taken: Taken[] = [];

  return {
    async take({ method, deadline }) {
      for (;;) {
        const time = now();
        taken = taken.filter(({ at }) => at > time - WINDOW_MILLISECONDS);
        const ofMethod = taken.filter((one) => one.method === method);
        const freeAt = Math.max(toFreeAt(ofMethod, CALLS_OF_A_METHOD_MAX), toFreeAt(taken, CALLS_MAX));
        if (freeAt <= time) {
          taken.push({ method, at: time });
          return;
        }
        if (freeAt >= deadline) throw toSpentError(freeAt - time);
        await sleep(freeAt - time);
      }
    },
  };
}

/** A budget of so many calls a second. */
export interface Pace extends Throttle {
  /** Faster than the public endpoints allow: whoever sets it knows this one. */
  exceedsPublic: boolean;
}

/** One call after the other, evenly. */
export function createPace({
  now,
  sleep,
  callsPerSecond,
}: {
  now: () => number;
  sleep: Sleep;
  callsPerSecond: number;
}): Pace {
  let freeAt = -Infinity;
  return {
    exceedsPublic: callsPerSecond > CALLS_OF_A_METHOD_MAX / (WINDOW_MILLISECONDS / 1_000),
    async take({ deadline }) {
      const time = now();
      const at = Math.max(time, freeAt);
      if (at >= deadline) throw toSpentError(at - time);
      freeAt = at + 1_000 / callsPerSecond;
      if (at > time) await sleep(at - time);
    },
  };
}

/** When so many calls, oldest first, leave room for one more. */
function toFreeAt(taken: Taken[], max: number): number {
  const blocking = taken.at(-max);
  return blocking === undefined ? -Infinity : blocking.at + WINDOW_MILLISECONDS;
}

function toSpentError(milliseconds: number): RpcError {
  const seconds = Math.ceil(milliseconds / 1000);
  return new RpcError({
    kind: "resting",
    message: `not asked: the budget of calls is spent for ${seconds} s, longer than the time left`,
  });
}
