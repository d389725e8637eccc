/**
 * On every answer of the API, errors too: what a browser is told about JSON that somebody made it open or embed. They cost
 * bytes on each answer, so they are few. Not here: Strict-Transport-Security, which may not be sent over plain HTTP (RFC
 * 6797, 7.2) and belongs to whatever ends TLS; Referrer-Policy, since browsers by themselves tell strangers no more than the
 * origin. The policy is that of data: pages, which load scripts and styles, need one of their own.
 */
export const SECURITY_HEADERS = {
  /** Names and messages are strangers' text: no browser may guess that they are a page or a script. */
  "x-content-type-options": "nosniff",
  /** Should one show it as a page nevertheless, nothing in it loads or runs, and no other page frames it. */
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  /** Open data: pages that isolate themselves (Cross-Origin-Embedder-Policy) may use it as well. */
  "cross-origin-resource-policy": "cross-origin",
} as const;
