import { hash } from "node:crypto";
import { CACHE_CLASSES, type CacheClass } from "../generator/contract/cache.ts";
import { FORMS, type Form } from "../generator/contract/forms.ts";
import { CORS_HEADERS, SECURITY_HEADERS } from "../generator/contract/response-headers.ts";
import { SITE_HEADERS } from "../generator/contract/site-headers.ts";

/** A header of an answer; names in lower case. */
export type Header = readonly [name: string, value: string];

/** The body of a 200, and the headers that go with it. */
export interface Answer {
  /** A Buffer: Node wraps any other kind of bytes before it sends them. */
  body: Buffer;
  /** Strong and quoted; a hash of the bytes, so processes agree on it. */
  etag: string;
  /** When it last changed, in milliseconds since the epoch; null: not known. */
  modifiedAt: number | null;
  headers: readonly Header[];
  /** Those that a 304 has too (RFC 9110, 15.4.5). */
  validatorHeaders: readonly Header[];
}

/** Headers of every answer of the API: CORS and security. */
export const FIXED_HEADERS: readonly Header[] = Object.entries({
  ...CORS_HEADERS,
  ...SECURITY_HEADERS,
});
/** Headers of every page and file of the site. */
export const PAGE_HEADERS: readonly Header[] = Object.entries(SITE_HEADERS);

/** Returns the JSON text of an envelope. */
export function toJson(data: unknown, meta: object): string {
  return JSON.stringify({ data, meta });
}

interface AnswerOptions {
  form?: Form;
  /** When what it was made of last changed, in milliseconds since the epoch. */
  modifiedAt?: number | null;
}

/** Makes an answer of an object of the store, or of a computed text. */
export function toAnswer(
  content: Uint8Array | string,
  cache: CacheClass,
  { form = "document", modifiedAt = null }: AnswerOptions = {},
): Answer {
  const body =
    typeof content === "string"
      ? Buffer.from(content)
      : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return represent(body, {
    fixedHeaders: form === "page" ? PAGE_HEADERS : FIXED_HEADERS,
    cacheControl: CACHE_CLASSES[cache],
    contentType: FORMS[form].contentType,
    modifiedAt,
  });
}

interface Description {
  fixedHeaders: readonly Header[];
  cacheControl: string;
  contentType: string;
  modifiedAt?: number | null;
}

/** Makes an answer of a body; its strong ETag is the SHA-256 of the body. */
export function represent(
  body: Buffer,
  { fixedHeaders, cacheControl, contentType, modifiedAt = null }: Description,
): Answer {
  const etag = `"${hash("sha256", body, "base64url")}"`;
  const validatorHeaders: readonly Header[] = [
    ...fixedHeaders,
    ["etag", etag],
    ...toModifiedHeaders(modifiedAt),
    ["cache-control", cacheControl],
  ];
  const headers: readonly Header[] = [
    ...validatorHeaders,
    ["content-type", contentType],
    ["content-length", String(body.byteLength)],
  ];
  return { body, etag, modifiedAt, headers, validatorHeaders };
}

function toModifiedHeaders(modifiedAt: number | null): readonly Header[] {
  return modifiedAt === null ? [] : [["last-modified", new Date(modifiedAt).toUTCString()]];
}
