/**
 * Window of the rate limit. The name of RATE_LIMIT_PER_MINUTE fixes it, and AWS WAF has no shorter
 * one.
 */
export const RATE_WINDOW_SECONDS = 60;

/** Headers that scripts may read beside those that CORS always allows. */
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
  "X-Request-Id",
];

/**
 * CORS headers of every answer. They are the same for every origin, so caches need not vary by it.
 */
export const CORS_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED_HEADERS.join(", "),
} as const;

/** Further CORS headers of answers to OPTIONS, which browsers may keep for a day. */
export const PREFLIGHT_HEADERS = {
  "access-control-allow-methods": "GET, HEAD, OPTIONS",
  "access-control-allow-headers": "*",
  "access-control-max-age": "86400",
} as const;

/**
 * Security headers of every answer of the API. Strict-Transport-Security is not among them: it is
 * forbidden over plain HTTP (RFC 6797, 7.2), so whatever ends TLS sets it. Nor is Referrer-Policy:
 * browsers send only the origin by default.
 */
export const SECURITY_HEADERS = {
  /** Answers hold strangers' text, which browsers must not take for a page or script. */
  "x-content-type-options": "nosniff",
  /** An answer shown as a page can load, run and be framed by nothing. */
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  /** Lets pages with Cross-Origin-Embedder-Policy use the data. */
  "cross-origin-resource-policy": "cross-origin",
} as const;
