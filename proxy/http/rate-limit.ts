import type { H3Event } from "h3";
import { setLimitHeaders } from "./respond.ts";
import { rateLimited, toLimitHeaders, type Gate } from "./gate.ts";
import type { Allowance } from "../limits/limiter.ts";

interface RateLimitOptions {
  gate: Gate;
  /** Paths that are not counted. */
  unlimited: ReadonlySet<string>;
}

/**
 * Middleware that counts every request, whatever its method and answer, and tells the client what it has left. Throws
 * `rate_limited`.
 */
export function createRateLimit({ gate, unlimited }: RateLimitOptions) {
  return (event: H3Event): void | Promise<void> => {
    if (unlimited.has(event.url.pathname)) return;
    const { ip: peer, headers } = event.req;
    const allowance = gate({ peer, getHeader: (name) => headers.get(name) });
    if (allowance instanceof Promise) return allowance.then((allowance) => pass(event, allowance));
    pass(event, allowance);
  };
}

function pass(event: H3Event, allowance: Allowance): void {
  setLimitHeaders(event, toLimitHeaders(allowance));
  if (!allowance.allowed) throw rateLimited(allowance);
}
