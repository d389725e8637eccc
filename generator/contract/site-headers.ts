/** What a page of the site may do: run, paint and ask what lies beside it, and show icons. Everything else is forbidden. */
const POLICY = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "connect-src": "'self'",
  /** Validators name their icons wherever they like, over https. An image can neither run nor read anything. */
  "img-src": "'self' https:",
  "base-uri": "'none'",
  "form-action": "'self'",
  "frame-ancestors": "'none'",
  /** No text becomes markup or script, not even by a mistake of ours: nothing here has a Trusted Types policy. */
  "require-trusted-types-for": "'script'",
} as const;

/** On every file of the site, whoever serves it. No Strict-Transport-Security, for the reason in response-headers.ts. */
export const SITE_HEADERS = {
  "content-security-policy": toPolicyText(POLICY),
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
} as const;

/** Files below have the hash of their content in their name; all others keep their name when they change. */
export const SITE_ASSETS_FOLDER = "assets";

/** Cache-Control of the site's files. */
export const SITE_CACHE = {
  asset: "public, max-age=31536000, immutable",
  page: "public, max-age=60, stale-if-error=86400",
} as const;

function toPolicyText(policy: Readonly<Record<string, string>>): string {
  return Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join("; ");
}
