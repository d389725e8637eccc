const POLICY = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "connect-src": "'self'",
  /** An image can neither run nor read anything. */
  "img-src": "'self' https:",
  "base-uri": "'none'",
  "form-action": "'self'",
  "frame-ancestors": "'none'",
  /** With no Trusted Types policy, no text can become markup or script by mistake. */
  "require-trusted-types-for": "'script'",
} as const;

/** Strict-Transport-Security: see response-headers.ts. */
export const SITE_HEADERS = {
  "content-security-policy": toPolicyText(POLICY),
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
} as const;

/** Its names carry a content hash. */
export const SITE_ASSETS_FOLDER = "assets";

export const SITE_CACHE = {
  asset: "public, max-age=31536000, immutable",
  page: "public, max-age=60, stale-if-error=86400",
} as const;

function toPolicyText(policy: Readonly<Record<string, string>>): string {
  return Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join("; ");
}
