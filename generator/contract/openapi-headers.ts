import { CACHE_CLASSES, type CacheClass } from "./cache.ts";
import { RATE_WINDOW_SECONDS } from "./response-headers.ts";

interface DescribedHeader {
  description: string;
  /** Set if every answer has it, also those from caches on the way. */
  required?: true;
  schema: { type: "string" | "integer" | "boolean"; minimum?: number; enum?: readonly string[] };
  example: string | number | boolean;
}

/** Every described header but Cache-Control, which has a description for each cache class. */
const HEADERS = {
  ETag: {
    description:
      "Identifies these bytes. Send it back in If-None-Match: the answer is 304 without a " +
      "body until something changes. Where the answer is compressed on the way, the ETag is weak.",
    required: true,
    schema: { type: "string" },
    example: '"4kPBSBTqRDBZjgTcXq0HCwkH3ETo9UJnGnI8rXJ2dQw"',
  },
  "Last-Modified": {
    description:
      "When these bytes were published last. As long as nothing is new they stay as they are; " +
      "`/status` says as of when that is. Send it back in If-Modified-Since where you keep no " +
      "ETag. Absent where the answer is made for this request: `/epoch`, `/search`, the accounts " +
      "of a wallet, lists of a validator without any.",
    schema: { type: "string" },
    example: "Fri, 20 Nov 2026 12:00:03 GMT",
  },
  Age: {
    description:
      "Seconds since the answer was last known to be current, including the time in caches. " +
      "The proxy omits it up to 15 seconds.",
    schema: { type: "integer", minimum: 0 },
    example: 17,
  },
  "X-Data-Stale": {
    description:
      "`true` while the store (`/epoch`: the cluster) does not answer and the proxy serves " +
      "what it read before; absent otherwise.",
    schema: { type: "boolean" },
    example: true,
  },
  "X-Request-Id": {
    description:
      "Names the request in the log of the proxy: tell it when you report a failure. An answer " +
      "from a cache may have that of the request it was fetched for, and objects of a bucket " +
      "have none. An id that the client sends is not used.",
    schema: { type: "string" },
    example: "3f0e4c1a-9b52-4d37-8a76-5c1f2e9d0b84",
  },
  Vary: {
    description: "Present where a CDN or nginx before the proxy may compress the answer.",
    schema: { type: "string" },
    example: "Accept-Encoding",
  },
  "Content-Encoding": {
    description: "Present if a CDN or nginx before the proxy compressed the answer.",
    schema: { type: "string", enum: ["br", "gzip"] },
    example: "br",
  },
  "Access-Control-Allow-Origin": {
    description: "Any page may read the answer and the headers described here.",
    required: true,
    schema: { type: "string" },
    example: "*",
  },
  "X-RateLimit-Limit": {
    description: "Requests that a client may send in a window of one minute.",
    schema: { type: "integer", minimum: 1 },
    example: 60,
  },
  "X-RateLimit-Remaining": {
    description: "Requests left in this window.",
    schema: { type: "integer", minimum: 0 },
    example: 59,
  },
  "X-RateLimit-Reset": {
    description: "Seconds until this window ends; not a timestamp.",
    schema: { type: "integer", minimum: 0 },
    example: 42,
  },
  "RateLimit-Policy": {
    description:
      "Requests (`q`) in a window of `w` seconds, as in draft-ietf-httpapi-ratelimit-headers-11.",
    schema: { type: "string" },
    example: `"default";q=60;w=${RATE_WINDOW_SECONDS}`,
  },
  RateLimit: {
    description:
      "Requests left (`r`) and seconds until the window ends (`t`), as in the same draft.",
    schema: { type: "string" },
    example: '"default";r=59;t=42',
  },
  "Retry-After": {
    description: "Seconds to wait before the next request.",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 12,
  },
  Allow: {
    description: "The methods of the path.",
    required: true,
    schema: { type: "string" },
    example: "GET, HEAD, OPTIONS",
  },
} as const satisfies Record<string, DescribedHeader>;

/** Name of a header that `components/headers` describes. */
export type HeaderName = keyof typeof HEADERS;

/**
 * Headers of the rate limit. On an answer from a shared cache they describe the client that it was
 * fetched for.
 */
export const RATE_LIMIT_HEADERS = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit-Policy",
  "RateLimit",
] as const satisfies HeaderName[];

const CACHE_DESCRIPTIONS: Record<CacheClass, string> = {
  snapshot: "Shared caches keep the answer for 5 minutes, a browser for one.",
  events: "Shared caches keep the answer for a minute, a browser for 15 seconds.",
  epoch: "Shared caches and browsers keep the answer for 30 seconds.",
  status: "Shared caches and browsers keep the answer for 15 seconds.",
  error: "No cache keeps an error.",
};

/** Describes all headers, for `components/headers`. */
export function describeHeaders(): Record<string, DescribedHeader> {
  const cacheClasses = Object.keys(CACHE_CLASSES) as CacheClass[];
  const cacheControls = cacheClasses.map((cache): [string, DescribedHeader] => [
    toCacheControlName(cache),
    {
      description: CACHE_DESCRIPTIONS[cache],
      required: true,
      schema: { type: "string" },
      example: CACHE_CLASSES[cache],
    },
  ]);
  return { ...Object.fromEntries(cacheControls), ...HEADERS };
}

/** Returns references to the headers of a response, with Cache-Control of its class and CORS. */
export function toHeaders(
  names: readonly HeaderName[],
  cache: CacheClass,
): Record<string, { $ref: string }> {
  const all = [...names, "Access-Control-Allow-Origin"].map(
    (name) => [name, toReference(name)] as const,
  );
  return { "Cache-Control": toReference(toCacheControlName(cache)), ...Object.fromEntries(all) };
}

function toCacheControlName(cache: CacheClass): string {
  return `Cache-Control.${cache}`;
}

function toReference(name: string): { $ref: string } {
  return { $ref: `#/components/headers/${name}` };
}
