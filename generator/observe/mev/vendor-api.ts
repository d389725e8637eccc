import type { Dispatcher } from "undici";
import { parseBody } from "../../rpc/answer.ts";
import type { EndpointUrl } from "../../rpc/endpoint-address.ts";
import { RpcError, toReworded } from "../../rpc/error.ts";
import { openBody, readText } from "../../rpc/http.ts";
import { retry } from "../../rpc/retry.ts";
import type { Sleep } from "../../rpc/throttle.ts";

/**
 * How the MEV vendor's API is called. `now` is in milliseconds since 1970; aborting `signal`
 * ends the call.
 */
export interface MevOptions {
  /** Base of the vendor's API, without `/api/v1`. */
  url: EndpointUrl;
  dispatcher: Dispatcher;
  now: () => number;
  sleep: Sleep;
  random: () => number;
  signal: AbortSignal | undefined;
}

interface VendorQuestion<T> {
  /** Below `/api/v1/`. */
  path: string;
  /** What is asked for, in errors. */
  what: string;
  attempts: number;
  bytesMax: number;
  /** By the options' `now`, in milliseconds. */
  deadline: number;
  /** @throws {RpcError} for an answer of another shape; it may be asked for again */
  parse: (answer: unknown) => T;
}

/** @throws {RpcError} that says what was asked for, and holds no secret of the address */
export async function askVendor<T>(options: MevOptions, question: VendorQuestion<T>): Promise<T> {
  const { url, now, sleep, random } = options;
  const { what, attempts, deadline } = question;
  try {
    return await retry({ attempts, deadline, now, sleep, random }, () => ask(options, question));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw toReworded(error, url.redact(`${url.origin} ${what}: ${error.message}`));
  }
}

async function ask<T>(
  { url, dispatcher, now, signal: stop }: MevOptions,
  { path, bytesMax: maxBytes, deadline, parse }: VendorQuestion<T>,
): Promise<T> {
  const target = new URL(url.target);
  target.pathname = `${target.pathname.replace(/\/$/, "")}/api/v1/${path}`;
  const { headers } = url;
  const call = { target, method: "GET", headers, body: null, maxBytes } as const;
  const text = await readText(await openBody({ ...call, dispatcher, now, deadline, stop }));
  return parse(parseBody(text));
}
