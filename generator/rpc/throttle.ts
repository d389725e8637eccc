import { RpcError } from "./error.ts";

/** Waits for some milliseconds. */
export type Sleep = (milliseconds: number) => Promise<void>;

/**
 * Limits of the public endpoints per address in any 10 seconds (Solana documentation, "Clusters").
 */
const CALLS_OF_A_METHOD_MAX = 40;
const CALLS_MAX = 100;
const WINDOW_MILLISECONDS = 10_000;

/** No limit, for endpoints on this machine. */
export const UNLIMITED: Throttle = { take: () => Promise.resolve() };

interface Throttle {
  /**
   * Waits until a call fits.
   * @throws {RpcError} `resting` at once when the wait would pass the deadline
   */
  take(call: { method: string; deadline: number }): Promise<void>;
}

interface Taken {
  method: string;
  at: number;
}

/**
 * Makes the budget of one endpoint: 40 calls of a method and 100 of all in any 10 seconds.
 * @param now milliseconds, by the clock of the deadlines
 */
export function createThrottle({ now, sleep }: { now: () => number; sleep: Sleep }): Throttle {
  let taken: Taken[] = [];

  return {
    async take({ method, deadline }) {
      for (;;) {
        const time = now();
        taken = taken.filter(({ at }) => at > time - WINDOW_MILLISECONDS);
        const ofMethod = taken.filter((one) => one.method === method);
        const freeAt = Math.max(
          toFreeAt(ofMethod, CALLS_OF_A_METHOD_MAX),
          toFreeAt(taken, CALLS_MAX),
        );
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

/** A steady rate of calls. */
export interface Pace extends Throttle {
  /**
   * Whether it allows more calls than the public budget, which then does not apply: whoever set it
   * knows that the endpoint allows so many.
   */
  exceedsPublic: boolean;
}

/**
 * Makes a pace of `callsPerSecond`, above 0, with equal distances between calls.
 * @param now milliseconds, by the clock of the deadlines
 */
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

function toFreeAt(taken: Taken[], max: number): number {
  const blocking = taken.at(-max);
  return blocking === undefined ? -Infinity : blocking.at + WINDOW_MILLISECONDS;
}

function toSpentError(milliseconds: number): RpcError {
  const seconds = Math.ceil(milliseconds / 1000);
  return new RpcError({
    kind: "resting",
    message: `not asked: the call budget is used up for another ${seconds} s, longer than the time left`,
  });
}
