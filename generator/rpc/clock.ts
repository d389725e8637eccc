import type { DatedAnswer } from "./reader.ts";
import { RpcError } from "./error.ts";

/**
 * By the Date header plus a cache's Age (RFC 9111 §5.1),
 * milliseconds since 1970, whole seconds; null: unreadable.
 */
export function readServerTime(
  headers: Record<string, string | string[] | undefined>,
): number | null {
  const date = parseHttpDate(String(headers["date"]));
  if (Number.isNaN(date)) return null;
  const age = String(headers["age"] ?? "0");
  return date + (/^\d{1,9}$/.test(age) ? Number(age) * 1000 : 0);
}

/** RFC 9110 §5.6.7; elsewhere `Date.parse` guesses. */
const DAY_OF_WEEK = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;

/** The oldest form has no zone. NaN: unreadable. */
export function parseHttpDate(header: string): number {
  const text = header.trim();
  if (!DAY_OF_WEEK.test(text)) return NaN;
  return Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
}

/**
 * An entry dated further off would fold among those
 * of other moments. NTP and slow answers stay below.
 */
const CLOCK_OFF_MILLISECONDS = 2 * 60_000;

export interface Dating {
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Also once the clock was set meanwhile. Milliseconds since 1970. */
  now: () => number;
  /** @throws {RpcError} `clock` when this machine's clock and the server's disagree */
  assertAgrees: (answer: DatedAnswer) => void;
}

/**
 * A timer carries `now` on: the clock may be set, or the machine sleep, meanwhile.
 * @param now milliseconds since 1970
 * @param timer the clock that dated answers use
 */
export function startDating({ now, timer }: { now: () => number; timer: () => number }): Dating {
  const startedAt = now();
  const timerAtStart = timer();
  const toTime = (reading: number) => startedAt + reading - timerAtStart;
  return {
    startedAt,
    now: () => toTime(timer()),
    assertAgrees({ serverTime, sentAt, receivedAt }) {
      // The answer was made between both readings.
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
