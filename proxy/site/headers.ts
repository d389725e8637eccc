import type { Header } from "../answers/answer.ts";

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

/**
 * On every file of the site, instead of what the API sends (http/security-headers.ts). A CDN that serves the site itself must
 * send the same. No Strict-Transport-Security, for the reason given there.
 */
export const SITE_HEADERS: readonly Header[] = [
  ["content-security-policy", toPolicyText(POLICY)],
  ["x-content-type-options", "nosniff"],
  ["referrer-policy", "same-origin"],
  ["cross-origin-opener-policy", "same-origin"],
  ["cross-origin-resource-policy", "same-origin"],
  ["permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"],
];

const CACHE_ASSET = "public, max-age=31536000, immutable";
const CACHE_PAGE = "public, max-age=60, stale-if-error=86400";

/** Assets have the hash of their content in their name; all else keeps its name when it changes. */
export function toCacheControl(path: string): string {
  return path.startsWith("/assets/") ? CACHE_ASSET : CACHE_PAGE;
}

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  ico: "image/x-icon",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  webmanifest: "application/manifest+json",
};

/** By the name's end. What is not known is bytes, which no browser runs or shows. */
export function toContentType(path: string): string {
  return TYPES[path.slice(path.lastIndexOf(".") + 1)] ?? "application/octet-stream";
}

function toPolicyText(policy: Readonly<Record<string, string>>): string {
  return Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join("; ");
}
