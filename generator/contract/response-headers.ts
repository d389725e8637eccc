/** The window in which requests are counted: the shortest that a rate rule of AWS WAF has. */
export const RATE_WINDOW_SECONDS = 60;

/** Headers of ours that a page may read beside the few that CORS always shows. */
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

/*
 * What answers of the API carry whoever gives them: the proxy, or a CDN or web server before the bucket.
 */

/** On every answer: any page may read this API. The same for everyone, so that no cache must tell origins apart. */
export const CORS_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED_HEADERS.join(", "),
} as const;

/** On every answer to OPTIONS. A browser need not ask again for a day. */
export const PREFLIGHT_HEADERS = {
  "access-control-allow-methods": "GET, HEAD, OPTIONS",
  "access-control-allow-headers": "*",
  "access-control-max-age": "86400",
} as const;

/**
 * On every answer of the API, errors too: few, for they cost bytes on each. Not here: Strict-Transport-Security, which
 * may not be sent over plain HTTP (RFC 6797, 7.2) and belongs to whatever ends TLS; Referrer-Policy, since browsers by
 * themselves tell strangers no more than the origin. Pages have headers of their own (site-headers.ts).
 */
export const SECURITY_HEADERS = {
  /** Names and messages are strangers' text: no browser may guess that they are a page or a script. */
  "x-content-type-options": "nosniff",
  /** Should one show it as a page nevertheless, nothing in it loads or runs, and no other page frames it. */
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  /** Open data: pages that isolate themselves (Cross-Origin-Embedder-Policy) may use it as well. */
  "cross-origin-resource-policy": "cross-origin",
} as const;
