import type { DatedAnswer } from "./rpc.ts";
import { RpcError } from "./error.ts";

/**
 * What is dated so far off stands among the observations of other moments, and the fold believes the wrong ones of them:
 * from the past, with slots of now, it shuts out all true ones until their slots have caught up. Under it are clocks set by
 * NTP, and answers that took their time.
 */
const CLOCK_OFF_MILLISECONDS = 2 * 60_000;

/** What an observation is dated by: this machine's clock when it began, held against that of the endpoints. */
export interface Dating {
  /** Milliseconds since 1970. */
  startedAt: number;
  /** @throws {RpcError} `clock` when the answer was made at another time than it was read at */
  assertAgrees: (answer: DatedAnswer) => void;
}

/**
 * Reads this machine's clock once and carries it on by a timer that nobody sets: if the clock is set meanwhile, or the
 * machine sleeps, then it is not what the observation is dated by.
 * @param now milliseconds since 1970
 * @param timer the clock that the answers were timed by, in milliseconds
 */
export function startDating({ now, timer }: { now: () => number; timer: () => number }): Dating {
  const startedAt = now();
  const timerAtStart = timer();
  const toTime = (reading: number) => startedAt + reading - timerAtStart;
  return {
    startedAt,
    assertAgrees({ serverTime, sentAt, receivedAt }) {
      // Made some time between: only what is before the one or after the other is a fault of a clock.
      const ahead = toTime(sentAt) - serverTime;
      const behind = serverTime - toTime(receivedAt);
      if (Math.max(ahead, behind) <= CLOCK_OFF_MILLISECONDS) return;
      const direction = ahead > 0 ? `${toMinutes(ahead)} ahead of` : `${toMinutes(behind)} behind`;
      const message = `this machine's clock is ${direction} the endpoint's (its Date header): set it (NTP)`;
      throw new RpcError({ kind: "clock", message });
    },
  };
}

function toMinutes(milliseconds: number): string {
  return `${Math.round(milliseconds / 60_000)} min`;
}
