/** Every Cache-Control of the API. The site has its own (site-headers.ts). */
export const CACHE_CLASSES = {
  /** Shared caches keep it for half the time between two snapshots. */
  snapshot: "public, max-age=60, s-maxage=300, stale-while-revalidate=300, stale-if-error=86400",
  /** Shorter than `snapshot`: a RUG must appear soon after the check that found it. */
  events: "public, max-age=15, s-maxage=60, stale-while-revalidate=60, stale-if-error=86400",
  epoch: "public, max-age=30, s-maxage=30",
  /** Short, because alarms read it. */
  status: "public, max-age=15, s-maxage=15",
  /** Never kept: errors depend on the client or pass soon. */
  error: "no-store",
} as const;

/** How long caches may keep an answer. */
export type CacheClass = keyof typeof CACHE_CLASSES;
