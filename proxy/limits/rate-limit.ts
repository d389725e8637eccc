import type { H3Event } from "h3";
import { ApiError } from "../http/api-error.ts";
import { getCommonHeaders } from "../http/respond.ts";
import { createClientKeys } from "./client-address.ts";
import { WINDOW_MILLISECONDS, type Allowance, type Limiter } from "./limiter.ts";
import type { TrustedProxies } from "./trusted-proxies.ts";

interface RateLimitOptions {
  limiter: Limiter;
  trustedProxies: TrustedProxies;
  /** Paths that are not counted. */
  unlimited: ReadonlySet<string>;
}

const WINDOW_SECONDS = WINDOW_MILLISECONDS / 1000;

/**
 * Middleware that counts every request, whatever its method and answer, and tells the client what it has left. Throws
 * `rate_limited`. Where the limiter answers at once, so does this.
 */
export function createRateLimit({ limiter, trustedProxies, unlimited }: RateLimitOptions) {
  const toClientKey = createClientKeys(trustedProxies);
  return (event: H3Event): void | Promise<void> => {
    if (unlimited.has(event.url.pathname)) return;
    const { ip: peer, headers } = event.req;
    const allowance = limiter.take(toClientKey({ peer, getHeader: (name) => headers.get(name) }));
    if (allowance instanceof Promise) return allowance.then((allowance) => tell(event, allowance));
    tell(event, allowance);
  };
}

function tell(event: H3Event, { allowed, limit, remaining, resetSeconds }: Allowance): void {
  const headers = getCommonHeaders(event);
  headers["x-ratelimit-limit"] = String(limit);
  headers["x-ratelimit-remaining"] = String(remaining);
  headers["x-ratelimit-reset"] = String(resetSeconds);
  // The same by draft-ietf-httpapi-ratelimit-headers-11. A cache that answers for us repeats all five as they were for the
  // client it asked for: the API promises them on every answer, and no header can exempt others from being stored.
  headers["ratelimit-policy"] = `"default";q=${limit};w=${WINDOW_SECONDS}`;
  headers["ratelimit"] = `"default";r=${remaining};t=${resetSeconds}`;
  if (allowed) return;
  throw new ApiError({
    code: "rate_limited",
    message: `More than ${limit} requests in a minute: try again in ${resetSeconds} s.`,
    headers: { "retry-after": String(resetSeconds) },
  });
}
