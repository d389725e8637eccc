import type { H3Event } from "h3";
import { ApiError } from "../http/api-error.ts";
import { toClientAddress, toClientKey } from "./client-address.ts";
import type { Limiter } from "./limiter.ts";
import { getCommonHeaders } from "../http/respond.ts";
import type { TrustedProxies } from "./trusted-proxies.ts";

interface RateLimitOptions {
  limiter: Limiter;
  trustedProxies: TrustedProxies;
  /** Paths that are not counted. */
  unlimited: ReadonlySet<string>;
}

/**
 * Middleware that counts every request, whatever its method and answer, and tells the client what it has left.
 * X-RateLimit-Reset is in seconds from now. Throws `rate_limited`.
 */
export function createRateLimit({ limiter, trustedProxies, unlimited }: RateLimitOptions) {
  return async (event: H3Event): Promise<void> => {
    if (unlimited.has(event.url.pathname)) return;
    const client = toClientAddress({
      peer: event.req.ip,
      forwardedFor: event.req.headers.get("x-forwarded-for"),
      trusted: trustedProxies,
    });
    const { allowed, limit, remaining, resetSeconds } = await limiter.take(toClientKey(client));
    const headers = getCommonHeaders(event);
    headers["x-ratelimit-limit"] = String(limit);
    headers["x-ratelimit-remaining"] = String(remaining);
    headers["x-ratelimit-reset"] = String(resetSeconds);
    if (allowed) return;
    throw new ApiError({
      code: "rate_limited",
      message: `More than ${limit} requests in a minute: try again in ${resetSeconds} s.`,
      headers: { "retry-after": String(resetSeconds) },
    });
  };
}
