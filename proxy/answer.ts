import { hash } from "node:crypto";
import { CACHE_CLASSES, type CacheClass } from "../generator/contract/cache.ts";
import { FORMS, type Form } from "../generator/contract/forms.ts";
import { CORS_HEADERS, SECURITY_HEADERS } from "../generator/contract/response-headers.ts";
import { SITE_HEADERS } from "../generator/contract/site-headers.ts";

export type Header = readonly [name: string, value: string];
export type Compression = "br" | "gzip";

export interface Representation {
  /** A Buffer: Node wraps any other kind of bytes before it sends them. */
  body: Buffer;
  /** Strong and quoted; a hash of the bytes, so processes agree on it. */
  etag: string;
  headers: readonly Header[];
}

export interface Answer extends Representation {
  content: Content;
}

interface Content {
  fixedHeaders: readonly Header[];
  cacheControl: string;
  contentType: string;
  /**
   * Whether there may be compressed variants: then even the plain one varies by Accept-Encoding.
   */
  varies: boolean;
}

export interface Cached<Value> {
  value: Value;
  stale: boolean;
  /** Whole seconds since its source confirmed it; 0 while it is fresh. */
  ageSeconds: number;
  /** Until then the answer may be repeated; milliseconds since the epoch. 0: never. */
  freshUntil: number;
}

/** An answer that never changes. */
export function always(value: Answer, freshUntil = 0): Cached<Answer> {
  return { value, stale: false, ageSeconds: 0, freshUntil };
}

export const FIXED_HEADERS: readonly Header[] = Object.entries({
  ...CORS_HEADERS,
  ...SECURITY_HEADERS,
});
export const PAGE_HEADERS: readonly Header[] = Object.entries(SITE_HEADERS);
/** A smaller body fits into one packet. */
export const VARIES_MIN_BYTES = 1_024;

export function toJson(data: unknown, meta: object): string {
  return JSON.stringify({ data, meta });
}

export function toAnswer(
  content: Uint8Array | string,
  cache: CacheClass,
  form: Form = "document",
): Answer {
  const body =
    typeof content === "string"
      ? Buffer.from(content)
      : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const { contentType, isCompressible } = FORMS[form];
  const varies = body.byteLength >= VARIES_MIN_BYTES && cache !== "error" && isCompressible;
  const fixedHeaders = form === "page" ? PAGE_HEADERS : FIXED_HEADERS;
  return represent(body, { fixedHeaders, cacheControl: CACHE_CLASSES[cache], contentType, varies });
}

export function represent(body: Buffer, content: Content): Answer {
  const etag = `"${hash("sha256", body, "base64url")}"`;
  return { body, etag, content, headers: toHeaders(content, etag, body) };
}

export function toVariant(answer: Answer, coding: Compression, body: Buffer): Representation {
  const etag = toVariantEtag(answer.etag, coding);
  return {
    body,
    etag,
    headers: [...toHeaders(answer.content, etag, body), ["content-encoding", coding]],
  };
}

/**
 * Strong ETags of two codings must differ (RFC 9110, 8.8.3.3):
 * a cache could send bytes that its client cannot read.
 */
export function toVariantEtag(etag: string, coding: Compression): string {
  return `${etag.slice(0, -1)}-${coding}"`;
}

/** The headers that a 304 shares with the 200 (RFC 9110, 15.4.5). */
export function toValidatorHeaders(
  { fixedHeaders, cacheControl, varies }: Content,
  etag: string,
): Header[] {
  const headers: Header[] = [...fixedHeaders, ["etag", etag], ["cache-control", cacheControl]];
  return varies ? [...headers, ["vary", "Accept-Encoding"]] : headers;
}

function toHeaders(content: Content, etag: string, { byteLength }: Buffer): Header[] {
  const length = String(byteLength);
  return [
    ...toValidatorHeaders(content, etag),
    ["content-type", content.contentType],
    ["content-length", length],
  ];
}
