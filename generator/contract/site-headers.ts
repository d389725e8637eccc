const POLICY = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "connect-src": "'self'",
  /** Icons of validators come from any host: an image can neither run nor read anything. */
  "img-src": "'self' https:",
  "base-uri": "'none'",
  "form-action": "'self'",
  "frame-ancestors": "'none'",
  /** As no Trusted Types policy exists, no text can become markup or script by mistake. */
  "require-trusted-types-for": "'script'",
} as const;

/**
 * Headers of every answer of the site. Strict-Transport-Security is set elsewhere: see
 * response-headers.ts.
 */
export const SITE_HEADERS = {
  "content-security-policy": toPolicyText(POLICY),
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
} as const;

/** Folder of the site's files whose names contain a hash of their content. */
export const SITE_ASSETS_FOLDER = "assets";

/** Cache-Control of the site: hashed files never change, pages may at any time. */
export const SITE_CACHE = {
  asset: "public, max-age=31536000, immutable",
  page: "public, max-age=60, stale-if-error=86400",
} as const;

function toPolicyText(policy: Readonly<Record<string, string>>): string {
  return Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join("; ");
}
