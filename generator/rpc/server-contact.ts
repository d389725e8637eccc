import { request, type Dispatcher } from "undici";
import type { EndpointUrl } from "./endpoint-url.ts";
import { readServerTime } from "./server-time.ts";

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
