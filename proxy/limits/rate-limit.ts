import type { H3Event, H3EventContext } from "h3";
import { RATE_WINDOW_SECONDS } from "../../generator/contract/response-headers.ts";
import type { Header } from "../answer.ts";
import { ApiError } from "../errors.ts";
import type { Log } from "../log.ts";
import { createClientKeys, type RequestHeaders, type TrustedProxies } from "./client-address.ts";
import { createMemoryLimiter, type Allowance, type Limiter } from "./limiter.ts";

export type Gate = (
  peer: string | undefined,
  headers: RequestHeaders,
) => Allowance | Promise<Allowance>;

export function createGate(limiter: Limiter, trustedProxies: TrustedProxies): Gate {
  const toClientKey = createClientKeys(trustedProxies);
  return (peer, headers) => limiter.take(toClientKey(peer, headers));
}

type LimitSettings = { rateLimitPerMinute: number; valkeyUrl: string | null };

/**
 * Loads the Valkey client only when needed: it takes 100 ms and 10 MB.
 * @param now milliseconds that never go back
 */
export async function openLimiter(settings: LimitSettings, now: () => number, log: Log) {
  const { rateLimitPerMinute: perMinute, valkeyUrl: url } = settings;
  if (url === null) return { ...createMemoryLimiter(perMinute, now), close: () => undefined };
  const { openValkeyLimiter } = await import("./valkey.ts");
  return openValkeyLimiter({ url, perMinute, now, log });
}

/** @throws {ApiError} `rate_limited` */
export function createRateLimit(gate: Gate, unlimited: readonly string[]) {
  return async ({ url, req, context }: H3Event): Promise<void> => {
    if (unlimited.includes(url.pathname)) return;
    const allowance = await gate(req.ip, toNodeHeaders(req));
    // Not in event.res.headers, which h3 copies three times.
    context[HEADERS] = toLimitHeaders(allowance);
    if (!allowance.allowed) throw rateLimited(allowance);
  };
}

export function toNodeHeaders({ runtime, headers }: H3Event["req"]): RequestHeaders {
  return runtime?.node?.req.headers ?? Object.fromEntries(headers);
}

const HEADERS = "limitHeaders";

export function getLimitHeaders(context: H3EventContext): readonly Header[] {
  return (context[HEADERS] ?? []) as readonly Header[];
}

/**
 * X-RateLimit and draft-ietf-httpapi-ratelimit-headers-11.
 * Caches repeat those of the client they asked for.
 */
export function toLimitHeaders({ limit, remaining, resetSeconds }: Allowance): readonly Header[] {
  return [
    ["x-ratelimit-limit", String(limit)],
    ["x-ratelimit-remaining", String(remaining)],
    ["x-ratelimit-reset", String(resetSeconds)],
    ["ratelimit-policy", `"default";q=${limit};w=${RATE_WINDOW_SECONDS}`],
    ["ratelimit", `"default";r=${remaining};t=${resetSeconds}`],
  ];
}

export function rateLimited({ limit, resetSeconds }: Allowance): ApiError {
  const message = `More than ${limit} requests in a minute, 304 and errors included: try again in ${resetSeconds} s.`;
  return new ApiError("rate_limited", message, {
    headers: { "retry-after": String(resetSeconds) },
  });
}
