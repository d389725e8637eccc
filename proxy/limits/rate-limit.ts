import type { H3Event, H3EventContext } from "h3";
import { RateLimiterRes, type RateLimiterAbstract } from "rate-limiter-flexible";
import { FOLDERS } from "../../generator/contract/forms.ts";
import { RATE_WINDOW_SECONDS } from "../../generator/contract/response-headers.ts";
import type { Header } from "../answer.ts";
import { ApiError, toRetryAfter } from "../errors.ts";
import { createClientKeys, type TrustedProxies } from "./client-address.ts";

/**
 * Counts requests in fixed windows. A window begins with the
 * first request of a client after the last window ended.
 */
export interface Limiter {
  /** Rejects with a RateLimiterRes, which is no error, over the limit. */
  consume: RateLimiterAbstract["consume"];
  /** Requests in a window. */
  points: number;
  /** Whether it counts together with other processes right now; undefined: it always counts alone. */
  isShared?: () => boolean;
  close?: () => void;
}

/** Where a request counts: under the first parts of all objects' keys. */
const COUNTED = new RegExp(`^/(?:${FOLDERS.map((folder) => folder.split("/")[0]).join("|")})/`);

/**
 * The one place where the proxy counts requests; on AWS a firewall counts too
 * (infra/aws/firewall.ts). Preflights, the site, its pages and health do not count.
 */
export function createRateLimit(limiter: Limiter, trustedProxies: TrustedProxies) {
  const toClientKey = createClientKeys(trustedProxies);
  /** @throws {ApiError} `rate_limited` */
  return async ({ url, req, context }: H3Event): Promise<void> => {
    if (!COUNTED.test(url.pathname)) return;
    if (req.method === "OPTIONS") return void (context[HEADERS] = toPolicyHeaders(limiter.points));
    const client = toClientKey(req.ip, req.headers);
    const { points: limit } = limiter;
    const [isAllowed, result] = await limiter.consume(client).then(
      (counted) => [true, counted] as const,
      (refused: unknown) => {
        if (refused instanceof RateLimiterRes) return [false, refused] as const;
        throw refused;
      },
    );
    const allowance = toAllowance(limit, result);
    // Not in event.res.headers, which h3 copies three times.
    context[HEADERS] = toLimitHeaders(allowance);
    if (!isAllowed) throw rateLimited(allowance);
  };
}

interface Allowance {
  limit: number;
  remaining: number;
  /** Until the window ends, rounded up; 1 to 60. */
  resetSeconds: number;
}

function toAllowance(limit: number, { remainingPoints, msBeforeNext }: RateLimiterRes): Allowance {
  // A Valkey server whose clock was set back may say that more than a window is left.
  const resetSeconds = Math.min(RATE_WINDOW_SECONDS, Math.max(1, Math.ceil(msBeforeNext / 1_000)));
  return { limit, remaining: remainingPoints, resetSeconds };
}

const HEADERS = "limitHeaders";

/** Returns the headers of the limit; none if the request does not count. */
export function getLimitHeaders(context: H3EventContext): readonly Header[] {
  return (context[HEADERS] ?? []) as readonly Header[];
}

/**
 * X-RateLimit and draft-ietf-httpapi-ratelimit-headers-11.
 * Caches repeat those of the client they asked for.
 */
function toLimitHeaders({ limit, remaining, resetSeconds }: Allowance): readonly Header[] {
  return [
    ...toPolicyHeaders(limit),
    ["x-ratelimit-remaining", String(remaining)],
    ["x-ratelimit-reset", String(resetSeconds)],
    ["ratelimit", `"default";r=${remaining};t=${resetSeconds}`],
  ];
}

/** Returns the headers of the limit that are the same for every client, counted or not. */
export function toPolicyHeaders(limit: number): readonly Header[] {
  return [
    ["x-ratelimit-limit", String(limit)],
    ["ratelimit-policy", `"default";q=${limit};w=${RATE_WINDOW_SECONDS}`],
  ];
}

function rateLimited({ limit, resetSeconds }: Allowance): ApiError {
  const message = `More than ${limit} requests in a minute, 304 and errors included: try again in ${resetSeconds} s.`;
  return new ApiError("rate_limited", message, { headers: [toRetryAfter(resetSeconds)] });
}
