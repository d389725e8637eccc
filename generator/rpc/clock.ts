import { request, type Dispatcher } from "undici";
import type { DatedAnswer } from "./reader.ts";
import { RpcError } from "./error.ts";
import type { EndpointUrl } from "./endpoint-address.ts";

/**
 * What time a server had when it made an answer, by its Date header: milliseconds since 1970, cut to whole seconds. An
 * answer from a cache has the date it was made at, and its age (RFC 9111 §5.1). null: it tells none, or none that can be
 * read.
 */
export function readServerTime(headers: Record<string, string | string[] | undefined>): number | null {
  const date = Date.parse(String(headers["date"]));
  if (Number.isNaN(date)) return null;
  const age = String(headers["age"] ?? "0");
  return date + (/^\d{1,9}$/.test(age) ? Number(age) * 1000 : 0);
}

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

/** That a server answered, whatever it answered. */
export interface ServerContact {
  /** HTTP status. */
  status: number;
  roundTripMilliseconds: number;
  /** How far our clock is ahead of the server's, by its Date header, to half a second; null: it sent none. */
  clockAheadMilliseconds: number | null;
}

export interface ContactOptions {
  url: EndpointUrl;
  /** JSON text to POST; null: a HEAD request. */
  body: string | null;
  dispatcher: Dispatcher;
  /** Our clock, in milliseconds since 1970. */
  now: () => number;
  /** Milliseconds from any beginning. */
  timer: () => number;
  /** Longest wait for the answer's head. */
  timeoutMilliseconds: number;
  signal?: AbortSignal | undefined;
}

/** So much of an answer is read for politeness, so that the connection can be used again; what is longer cuts it. */
const BODY_BYTES_MAX = 64 * 1024;

/** The Date header counts whole seconds: on average the server's clock is half a second further. */
const DATE_MEAN_MILLISECONDS = 500;

/**
 * Asks a server once, without trying again, to see whether there is one and what time it has.
 * @returns `failed`: the code of what went wrong (`ECONNREFUSED`, `ENOTFOUND`, …), which never holds a part of the address
 */
export async function contactServer(options: ContactOptions): Promise<ServerContact | { failed: string }> {
  const { url, body, dispatcher, now, timer, timeoutMilliseconds, signal: stop } = options;
  const timeout = AbortSignal.timeout(timeoutMilliseconds);
  const signal = stop ? AbortSignal.any([stop, timeout]) : timeout;
  const sentAt = timer();
  try {
    const response = await request(url.target, {
      method: body === null ? "HEAD" : "POST",
      headers: { ...url.headers, ...(body !== null && { "content-type": "application/json" }) },
      body,
      dispatcher,
      signal,
    });
    const receivedAt = now();
    const roundTripMilliseconds = timer() - sentAt;
    await response.body.dump({ limit: BODY_BYTES_MAX, signal });
    const serverTime = readServerTime(response.headers);
    const clockAheadMilliseconds =
      serverTime === null ? null : receivedAt - roundTripMilliseconds / 2 - serverTime - DATE_MEAN_MILLISECONDS;
    return { status: response.statusCode, roundTripMilliseconds, clockAheadMilliseconds };
  } catch (error) {
    stop?.throwIfAborted();
    return { failed: toCode(error) };
  }
}

/** Not the message: it may repeat the address. */
function toCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
