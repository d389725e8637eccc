import type { H3Event, H3EventContext } from "h3";
import type { Header } from "../cache/answer.ts";
import { ApiError } from "../http/api-error.ts";
import { createClientKeys, type Origin, type TrustedProxies } from "./client-address.ts";
import type { Log } from "../operations/log.ts";
import type { ValkeyAddress } from "../settings.ts";
import { createMemoryLimiter, WINDOW_SECONDS, type Allowance, type Limiter } from "./limiter.ts";

/** Counts a request of whoever sent it. */
export type Gate = (origin: Origin) => Promise<Allowance>;

export function createGate({ limiter, trustedProxies }: { limiter: Limiter; trustedProxies: TrustedProxies }): Gate {
  const toClientKey = createClientKeys(trustedProxies);
  return (origin) => limiter.take(toClientKey(origin));
}

interface OpenLimiterOptions {
  rateLimitPerMinute: number;
  /** null: this process counts alone. */
  valkey: ValkeyAddress | null;
  /** Milliseconds that only go up. */
  now: () => number;
  log: Log;
}

/** The limiter that the settings ask for. The client of Valkey takes some 100 ms and 10 MB to load. */
export async function openLimiter(options: OpenLimiterOptions): Promise<Limiter & { close(): void }> {
  const { rateLimitPerMinute: perMinute, valkey: address, now, log } = options;
  if (address === null) return { ...createMemoryLimiter({ perMinute }), close: () => undefined };
  const { openValkeyLimiter } = await import("./valkey.ts");
  return openValkeyLimiter({ address, perMinute, now, log });
}

/**
 * Middleware that counts every request, whatever its method and answer, and tells the client what it has left. Throws
 * `rate_limited`.
 * @param unlimited paths that are not counted
 */
export function createRateLimit(gate: Gate, unlimited: ReadonlySet<string>) {
  return async ({ url, req: { ip: peer, headers }, context }: H3Event): Promise<void> => {
    if (unlimited.has(url.pathname)) return;
    const allowance = await gate({ peer, getHeader: (name) => headers.get(name) });
    // In the context, not event.res.headers: those would be merged into every answer through three copies.
    context[HEADERS] = toLimitHeaders(allowance);
    if (!allowance.allowed) throw rateLimited(allowance);
  };
}

const HEADERS = "limitHeaders";

/** What the limit has to say to a request, which its answer tells whatever it turns out to be. */
export function getLimitHeaders(context: H3EventContext): readonly Header[] {
  return (context[HEADERS] ?? []) as readonly Header[];
}

/**
 * What tells a client how much it has left. X-RateLimit-Reset is in seconds from now; the other two say the same by
 * draft-ietf-httpapi-ratelimit-headers-11. A cache that answers for us repeats all five as they were for the client it asked
 * for: the API promises them on every answer, and no header can exempt others from being stored.
 */
export function toLimitHeaders({ limit, remaining, resetSeconds }: Allowance): readonly Header[] {
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
