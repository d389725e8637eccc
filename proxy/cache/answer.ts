import { hash } from "node:crypto";
import { CACHE_CLASSES, type CacheClass } from "../../generator/contract/cache.ts";
import { FORMS, type Form } from "../../generator/contract/forms.ts";
import { CORS_HEADERS, SECURITY_HEADERS } from "../../generator/contract/response-headers.ts";
import { SITE_HEADERS } from "../../generator/contract/site-headers.ts";

export type Header = readonly [name: string, value: string];
export type Compression = "br" | "gzip";

export interface Representation {
  /** A Buffer: Node copies no other kind of bytes into the socket without wrapping it first. */
  body: Buffer;
  /** Strong, quoted, by content: equal bytes from any process have equal ETags. */
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
  /** Whether there may be compressed variants: then it varies by Accept-Encoding, compressed or not. */
  varies: boolean;
}

export interface Reading<Value> {
  value: Value;
  stale: boolean;
  /** Whole seconds since its source last confirmed it; 0 while that is as recent as it should be. */
  ageSeconds: number;
  /** Until then the same reading would be given again; milliseconds since the epoch. 0: not for a moment. */
  freshUntil: number;
}

export const FIXED_HEADERS: readonly Header[] = Object.entries({ ...CORS_HEADERS, ...SECURITY_HEADERS });
export const PAGE_HEADERS: readonly Header[] = Object.entries(SITE_HEADERS);
/** A smaller body fits into one packet with its headers. */
export const VARIES_MIN_BYTES = 1_024;

export function toJson(data: unknown, meta: object): string {
  return JSON.stringify({ data, meta });
}

export function toAnswer(content: Uint8Array | string, cache: CacheClass, form: Form = "document"): Answer {
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
  return { body, etag, headers: [...toHeaders(answer.content, etag, body), ["content-encoding", coding]] };
}

/** Strong ETags of two codings must differ (RFC 9110, 8.8.3.3), or a cache may answer with bytes its client cannot read. */
export function toVariantEtag(etag: string, coding: Compression): string {
  return `${etag.slice(0, -1)}-${coding}"`;
}

/** What a 304 says as a 200 would (RFC 9110, 15.4.5). */
export function toValidatorHeaders({ fixedHeaders, cacheControl, varies }: Content, etag: string): Header[] {
  const headers: Header[] = [...fixedHeaders, ["etag", etag], ["cache-control", cacheControl]];
  return varies ? [...headers, ["vary", "Accept-Encoding"]] : headers;
}

function toHeaders(content: Content, etag: string, { byteLength }: Buffer): Header[] {
  const ofBody: Header[] = [
    ["content-type", content.contentType],
    ["content-length", String(byteLength)],
  ];
  return [...toValidatorHeaders(content, etag), ...ofBody];
}
