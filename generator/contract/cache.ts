/**
 * How long a shared cache may keep an answer. One table for the objects in the bucket and for the proxy: no handler
 * writes a Cache-Control of its own. Browsers revalidate by ETag after a fifth of the shared time.
 */
export const CACHE_CLASSES = {
  /** 5 minutes at the CDN: half the time between two snapshots. */
  snapshot: "public, max-age=60, s-maxage=300, stale-while-revalidate=300, stale-if-error=86400",
  /** A rug must be visible soon after the check that saw it. */
  events: "public, max-age=15, s-maxage=60, stale-while-revalidate=60, stale-if-error=86400",
  /** Live progress of the epoch. */
  epoch: "public, max-age=30, s-maxage=30",
  /** How fresh all is: read by alarms. */
  status: "public, max-age=15, s-maxage=15",
  /** Errors depend on the client or pass soon. */
  error: "no-store",
} as const;

export type CacheClass = keyof typeof CACHE_CLASSES;
