import type { H3Event } from "h3";
import { FastResponse } from "srvx";
import { CACHE_CLASSES } from "../../generator/contract/cache.ts";
import { CONTENT_TYPE } from "../../generator/contract/objects.ts";
import { PREFLIGHT_HEADERS } from "../../generator/contract/response-headers.ts";
import { FIXED_HEADERS, toValidatorHeaders, type Answer, type Header, type Reading } from "../cache/answer.ts";
import type { Variants } from "../cache/variants.ts";
import { getLimitHeaders } from "../limits/rate-limit.ts";
import { ALLOWED_METHODS, ApiError } from "./api-error.ts";
import { chooseRepresentation, findHeldEtag, isMatched, toAcceptedEtags } from "./negotiation.ts";

/** What is sent to a client, by whatever way, beside what the limit has to say. */
export interface Reply {
  status: number;
  headers: readonly Header[];
  body: Buffer | null;
}

/** What a successful answer was made of. */
export interface Source {
  reading: Reading<Answer>;
  variants: Variants;
}

/** The headers of a request that decide how its answer is sent. */
export interface Conditions {
  acceptEncoding: string | null;
  ifMatch: string | null;
  ifNoneMatch: string | null;
}

/** An answer of the app, with what it was made of: whoever holds that may give the answer again (responses.ts). */
export class ApiResponse extends FastResponse {
  /** null: an error, or an answer to OPTIONS. */
  readonly source: Source | null;

  constructor({ req, context }: H3Event, { status, headers, body }: Reply, source: Source | null = null) {
    // The cheapest way through srvx to the socket: the headers as a list and the body as a Buffer. Head and body leave in one write.
    const sent = req.method === "HEAD" ? null : (body as Uint8Array<ArrayBuffer> | null);
    super(sent, { status, headers: [...headers, ...getLimitHeaders(context)] as [string, string][] });
    this.source = source;
  }
}

/** No variants: for what is too small, or too seldom asked for, to be compressed. */
export const NO_VARIANTS: Variants = { get: () => undefined, want: () => undefined };

/** Answers GET and HEAD. @throws {ApiError} `precondition_failed` */
export function respondWith(event: H3Event, source: Source): Response {
  const { headers } = event.req;
  const conditions = {
    acceptEncoding: headers.get("accept-encoding"),
    ifMatch: headers.get("if-match"),
    ifNoneMatch: headers.get("if-none-match"),
  };
  return new ApiResponse(event, toReply(source, conditions), source);
}

/** Answers OPTIONS, a preflight or not. */
export function respondWithOptions(event: H3Event): Response {
  const headers = [...FIXED_HEADERS, ...Object.entries({ ...PREFLIGHT_HEADERS, allow: ALLOWED_METHODS })];
  return new ApiResponse(event, { status: 204, headers, body: null });
}

/**
 * 200 with the answer, in the coding the client likes best, or 304 if the client holds it already in one that it accepts.
 * Some headers are not read, as RFC 9110 says or allows: If-Modified-Since and If-Unmodified-Since, since there is no date of
 * modification to compare with (13.1.3, 13.1.4); Range (14.2); Accept, since JSON is better than a 406 (12.5.1).
 *
 * @throws {ApiError} `precondition_failed`, if an If-Match does not hold
 */
export function toReply({ reading, variants }: Source, conditions: Conditions): Reply {
  const { value: answer } = reading;
  const { acceptEncoding, ifMatch, ifNoneMatch } = conditions;
  const { body, etag, headers } = chooseRepresentation(answer, acceptEncoding, variants);
  if (ifMatch !== null || ifNoneMatch !== null) {
    const etags = [etag, ...toAcceptedEtags(answer, acceptEncoding)];
    // In this order: RFC 9110, 13.2.2.
    if (ifMatch !== null && !isMatched(ifMatch, etags)) throw preconditionFailed();
    const held = ifNoneMatch === null ? null : findHeldEtag(ifNoneMatch, etags);
    if (held !== null)
      return { status: 304, headers: withAge(toValidatorHeaders(answer.content, held), reading), body: null };
  }
  return { status: 200, headers: withAge(headers, reading), body };
}

/** An error, in the envelope. */
export function toErrorReply(error: ApiError): Reply {
  const body = Buffer.from(JSON.stringify(error.body));
  const headers = {
    ...error.headers,
    "cache-control": CACHE_CLASSES.error,
    "content-type": CONTENT_TYPE,
    "content-length": String(body.byteLength),
  };
  return { status: error.status, headers: [...FIXED_HEADERS, ...Object.entries(headers)], body };
}

/** With what tells that an answer is old. */
function withAge(headers: readonly Header[], { stale, ageSeconds }: Reading<Answer>): readonly Header[] {
  if (!stale && ageSeconds === 0) return headers;
  const old: Header[] = stale ? [["x-data-stale", "true"]] : [];
  return [...headers, ...old, ...(ageSeconds > 0 ? [["age", String(ageSeconds)] as const] : [])];
}

function preconditionFailed(): ApiError {
  return new ApiError({ code: "precondition_failed", message: "No ETag in If-Match is the one of this answer." });
}
