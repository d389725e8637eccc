/** Fixed by the name of RATE_LIMIT_PER_MINUTE; also the shortest window that AWS WAF has. */
export const RATE_WINDOW_SECONDS = 60;

/** Beside CORS's safelisted ones. */
const EXPOSED_HEADERS = [
  "Age",
  "ETag",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "X-Data-Stale",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
];

/** Caches need not tell origins apart. */
export const CORS_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED_HEADERS.join(", "),
} as const;

export const PREFLIGHT_HEADERS = {
  "access-control-allow-methods": "GET, HEAD, OPTIONS",
  "access-control-allow-headers": "*",
  "access-control-max-age": "86400",
} as const;

/**
 * Not here: Strict-Transport-Security, forbidden over plain HTTP (RFC 6797, 7.2), belongs
 * to whatever ends TLS; Referrer-Policy, since browsers send only the origin by default.
 */
export const SECURITY_HEADERS = {
  /** Strangers' text must not be sniffed as a page or script. */
  "x-content-type-options": "nosniff",
  /** Nothing loads, runs or frames it. */
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  /** Lets pages with Cross-Origin-Embedder-Policy use the data. */
  "cross-origin-resource-policy": "cross-origin",
} as const;
