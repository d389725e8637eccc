/** Every Cache-Control of the API. Those of the site: site-headers.ts. */
export const CACHE_CLASSES = {
  /** Half the time between two snapshots. */
  snapshot: "public, max-age=60, s-maxage=300, stale-while-revalidate=300, stale-if-error=86400",
  /** A RUG must show soon after its check. */
  events: "public, max-age=15, s-maxage=60, stale-while-revalidate=60, stale-if-error=86400",
  epoch: "public, max-age=30, s-maxage=30",
  /** Alarms read it. */
  status: "public, max-age=15, s-maxage=15",
  /** Errors depend on the client or pass soon. */
  error: "no-store",
} as const;

export type CacheClass = keyof typeof CACHE_CLASSES;
