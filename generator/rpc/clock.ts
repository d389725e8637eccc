import type { DatedAnswer } from "./reader.ts";
import { RpcError } from "./error.ts";

/**
 * Returns the server's time in milliseconds since 1970, in whole seconds: the Date header plus a
 * cache's Age (RFC 9111 §5.1). null: no readable Date.
 */
export function readServerTime(
  headers: Record<string, string | string[] | undefined>,
): number | null {
  const date = parseHttpDate(String(headers["date"]));
  if (Number.isNaN(date)) return null;
  const age = String(headers["age"] ?? "0");
  return date + (/^\d{1,9}$/.test(age) ? Number(age) * 1000 : 0);
}

/** How every date begins (RFC 9110 §5.6.7). Of other texts `Date.parse` guesses a date. */
const DAY_OF_WEEK = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;

/**
 * Parses a date of HTTP into milliseconds since 1970; NaN: unreadable. The oldest form has no zone
 * and is in GMT too.
 */
export function parseHttpDate(header: string): number {
  const text = header.trim();
  if (!DAY_OF_WEEK.test(text)) return NaN;
  return Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
}

/**
 * Largest difference from the endpoint's clock. An entry dated further off would be folded among
 * those of other moments; NTP and slow answers stay below.
 */
const CLOCK_OFF_MILLISECONDS = 2 * 60_000;

/** The time of an observation, and the check of this machine's clock. */
export interface Dating {
  /** When the observation began, in milliseconds since 1970. */
  startedAt: number;
  /** Milliseconds since 1970, steady even if the clock is set meanwhile. */
  now: () => number;
  /**
   * Checks this machine's clock against the server's time.
   * @throws {RpcError} `clock` when they differ by more than two minutes
   */
  assertAgrees: (answer: DatedAnswer) => void;
}

/**
 * Starts the dating of an observation. From here on a timer measures the time, because the clock
 * may be set, or the machine sleep, meanwhile.
 * @param now milliseconds since 1970
 * @param timer milliseconds, by the clock that dated answers use
 */
export function startDating({ now, timer }: { now: () => number; timer: () => number }): Dating {
  const startedAt = now();
  const timerAtStart = timer();
  const toTime = (reading: number) => startedAt + reading - timerAtStart;
  return {
    startedAt,
    now: () => toTime(timer()),
    assertAgrees({ serverTime, sentAt, receivedAt }) {
      // The server answered at some time between the two readings.
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
