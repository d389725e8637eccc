import { request, type Dispatcher } from "undici";
import type { DatedAnswer } from "./reader.ts";
import { RpcError } from "./error.ts";
import type { EndpointUrl } from "./endpoint-address.ts";

/** Date header plus a cache's Age (RFC 9111 §5.1), milliseconds since 1970, whole seconds. */
export function readServerTime(headers: Record<string, string | string[] | undefined>): number | null {
  const date = Date.parse(String(headers["date"]));
  if (Number.isNaN(date)) return null;
  const age = String(headers["age"] ?? "0");
  return date + (/^\d{1,9}$/.test(age) ? Number(age) * 1000 : 0);
}

/** An entry dated further off would fold among those of other moments. NTP and slow answers stay below. */
const CLOCK_OFF_MILLISECONDS = 2 * 60_000;

export interface Dating {
  /** Milliseconds since 1970. */
  startedAt: number;
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

export interface ServerContact {
  status: number;
  roundTripMilliseconds: number;
  /** Our clock minus the server's, to half a second; null: no Date header. */
  clockAheadMilliseconds: number | null;
}

export interface ContactOptions {
  url: EndpointUrl;
  /** JSON text to POST; null: a HEAD request. */
  body: string | null;
  dispatcher: Dispatcher;
  now: () => number;
  timer: () => number;
  timeoutMilliseconds: number;
  signal?: AbortSignal | undefined;
}

/** Read so that the connection can be reused. */
const BODY_BYTES_MAX = 64 * 1024;

/** The header counts whole seconds. */
const DATE_MEAN_MILLISECONDS = 500;

/** @returns `failed`: a code (`ECONNREFUSED`, `ENOTFOUND`, …), never a part of the address */
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

/** The message may repeat the address. */
function toCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
