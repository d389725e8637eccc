import { hash } from "node:crypto";
import { CACHE_CLASSES, type CacheClass } from "../../generator/contract/cache.ts";
import { FORMS, type Form } from "../../generator/contract/forms.ts";

/** A header field as Fetch takes it. A list of them is sent as it is; a Headers object would be copied twice on the way. */
export type Header = [name: string, value: string];

/** An answer's bytes in one content coding, and all that can be said of them beforehand. */
export interface Representation {
  /** A Buffer underneath: Node copies no other kind of bytes into the socket without wrapping it first. */
  body: Uint8Array;
  /** Strong, quoted, by content: equal bytes from any process have equal ETags. */
  etag: string;
  /** Of a 200, made once: ETag, Cache-Control, Vary, and what describes the content. */
  headers: readonly Header[];
}

/** A successful answer, ready to be sent as often as it is asked for. Itself it is not compressed; its variants are. */
export interface Answer extends Representation {
  cache: CacheClass;
  form: Form;
  /** Whether there may be compressed variants of it: then it varies by Accept-Encoding, compressed or not. */
  varies: boolean;
}

/** An answer, and whether it is old because its source does not answer. */
export interface Reading<Value> {
  value: Value;
  stale: boolean;
  /** Whole seconds since its source last confirmed it; 0 while that is as recent as it should be. */
  ageSeconds: number;
  /** Until then the same reading would be given again, without asking anybody; milliseconds since the epoch. 0: not for a moment. */
  freshUntil: number;
}

/** The codings an answer may be sent in beside none. */
export type Compression = "br" | "gzip";

/** A smaller body fits into one packet with its headers: compressing it would save nobody anything. */
export const VARIES_MIN_BYTES = 1_024;

const encoder = new TextEncoder();

/** The answer with this content; text becomes UTF-8. */
export function toAnswer(content: Uint8Array | string, cache: CacheClass, form: Form = "document"): Answer {
  const body = toBuffer(typeof content === "string" ? encoder.encode(content) : content);
  const etag = `"${hash("sha256", body, "base64url")}"`;
  const varies = body.byteLength >= VARIES_MIN_BYTES && cache !== "error" && FORMS[form].isCompressible;
  const headers = [...toValidatorHeaders({ cache, varies }, etag), ...toContentHeaders(body, form)];
  return { body, etag, cache, form, varies, headers };
}

/** A compressed variant of an answer. */
export function toVariant(answer: Answer, compression: Compression, compressed: Uint8Array): Representation {
  const body = toBuffer(compressed);
  const etag = toVariantEtag(answer, compression);
  const coding: Header = ["content-encoding", compression];
  return { body, etag, headers: [...toValidatorHeaders(answer, etag), coding, ...toContentHeaders(body, answer.form)] };
}

/**
 * The ETag of a variant, at hand or not. Strong ones of two codings must differ (RFC 9110, 8.8.3.3), or a cache may answer
 * with bytes that its client cannot read.
 */
export function toVariantEtag({ etag }: Representation, compression: Compression): string {
  return `${etag.slice(0, -1)}-${compression}"`;
}

/** What a 304 says as a 200 would (RFC 9110, 15.4.5). */
export function toValidatorHeaders({ cache, varies }: Pick<Answer, "cache" | "varies">, etag: string): Header[] {
  const headers: Header[] = [
    ["etag", etag],
    ["cache-control", CACHE_CLASSES[cache]],
  ];
  if (varies) headers.push(["vary", "Accept-Encoding"]);
  return headers;
}

function toContentHeaders(body: Uint8Array, form: Form): Header[] {
  return [
    ["content-type", FORMS[form].contentType],
    ["content-length", String(body.byteLength)],
  ];
}

/** The same bytes, not copied. */
function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
