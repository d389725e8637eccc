import type { Header } from "../answers/answer.ts";
import { ApiError } from "./api-error.ts";
import { createClientKeys, type Origin } from "../limits/client-address.ts";
import { WINDOW_SECONDS, type Allowance, type Limiter } from "../limits/limiter.ts";
import type { TrustedProxies } from "../limits/trusted-proxies.ts";

/** Counts a request of whoever sent it. Where the limiter answers at once, so does this. */
export type Gate = (origin: Origin) => Allowance | Promise<Allowance>;

/** Of the default limit there are 3,721; some 1 KB each, with the lines that the fast lane makes of them. */
const KNOWN_HEADERS_MAX = 4_096;
const knownHeaders = new Map<number, { limit: number; remaining: number; headers: readonly Header[] }>();

export function createGate({ limiter, trustedProxies }: { limiter: Limiter; trustedProxies: TrustedProxies }): Gate {
  const toClientKey = createClientKeys(trustedProxies);
  return (origin) => limiter.take(toClientKey(origin));
}

/**
 * What tells a client how much it has left. X-RateLimit-Reset is in seconds from now; the other two say the same by
 * draft-ietf-httpapi-ratelimit-headers-11. A cache that answers for us repeats all five as they were for the client it asked
 * for: the API promises them on every answer, and no header can exempt others from being stored.
 */
export function toLimitHeaders(allowance: Allowance): readonly Header[] {
  const { limit, remaining, resetSeconds } = allowance;
  const key = remaining * (WINDOW_SECONDS + 1) + resetSeconds;
  const known = knownHeaders.get(key);
  if (known?.limit === limit && known.remaining === remaining) return known.headers;
  if (knownHeaders.size >= KNOWN_HEADERS_MAX) knownHeaders.clear();
  const headers = makeLimitHeaders(allowance);
  knownHeaders.set(key, { limit, remaining, headers });
  return headers;
}

function makeLimitHeaders({ limit, remaining, resetSeconds }: Allowance): readonly Header[] {
  return [
    ["x-ratelimit-limit", String(limit)],
    ["x-ratelimit-remaining", String(remaining)],
    ["x-ratelimit-reset", String(resetSeconds)],
    ["ratelimit-policy", `"default";q=${limit};w=${WINDOW_SECONDS}`],
    ["ratelimit", `"default";r=${remaining};t=${resetSeconds}`],
  ];
}

/** What a client is told that has nothing left. */
export function rateLimited({ limit, resetSeconds }: Allowance): ApiError {
  return new ApiError({
    code: "rate_limited",
    message: `More than ${limit} requests in a minute: try again in ${resetSeconds} s.`,
    headers: { "retry-after": String(resetSeconds) },
  });
}
