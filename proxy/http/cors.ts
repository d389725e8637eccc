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
