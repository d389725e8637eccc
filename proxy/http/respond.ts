import type { H3Event } from "h3";
import { FastResponse } from "srvx";
import { CACHE_CLASSES } from "../../generator/contract/cache.ts";
import { CONTENT_TYPE } from "../../generator/contract/objects.ts";
import { toValidatorHeaders, type Answer, type Header, type Reading } from "../answers/answer.ts";
import { ApiError, getStatus, toErrorBody } from "./api-error.ts";
import { CORS_HEADERS, PREFLIGHT_HEADERS } from "./cors.ts";
import { findHeldEtag, isMatched } from "./entity-tags.ts";
import type { Negotiation } from "./negotiation.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";
import type { Log } from "../operations/log.ts";

export const ALLOWED_METHODS = "GET, HEAD, OPTIONS";

/** The same on every answer. */
const FIXED_HEADERS: readonly Header[] = Object.entries({ ...CORS_HEADERS, ...SECURITY_HEADERS });

/** Headers that a request's answer carries whatever it turns out to be. The middleware fills them in. */
export function getCommonHeaders(event: H3Event): Record<string, string> {
  // A plain object in the context, not event.res.headers: those would be merged into every answer through three copies.
  return (event.context["commonHeaders"] ??= {}) as Record<string, string>;
}

/**
 * 200 with the answer, in the coding the client likes best, or 304 if the client holds it already in one that it accepts.
 * Some headers are not read, as RFC 9110 says or allows: If-Modified-Since and If-Unmodified-Since, since there is no date of
 * modification to compare with (13.1.3, 13.1.4); Range (14.2); Accept, since JSON is better than a 406 (12.5.1).
 *
 * @throws {ApiError} `precondition_failed`, if an If-Match does not hold
 */
export function respondWith(event: H3Event, reading: Reading<Answer>, negotiation?: Negotiation): Response {
  const { value: answer } = reading;
  const acceptEncoding = event.req.headers.get("accept-encoding");
  const ifNoneMatch = event.req.headers.get("if-none-match");
  const ifMatch = event.req.headers.get("if-match");
  const chosen = negotiation?.choose(answer, acceptEncoding) ?? answer;
  if (ifMatch !== null || ifNoneMatch !== null) {
    const etags = [chosen.etag, ...(negotiation?.toAcceptedEtags(answer, acceptEncoding) ?? [])];
    // In this order: RFC 9110, 13.2.2.
    if (ifMatch !== null && !isMatched(ifMatch, etags)) throw preconditionFailed();
    const held = ifNoneMatch === null ? null : findHeldEtag(ifNoneMatch, etags);
    if (held !== null) return send(event, 304, [...toValidatorHeaders(answer, held), ...toAgeHeaders(reading)]);
  }
  return send(event, 200, [...chosen.headers, ...toAgeHeaders(reading)], chosen.body);
}

/** Answers OPTIONS, a preflight or not. */
export function respondWithOptions(event: H3Event): Response {
  return send(event, 204, Object.entries({ ...PREFLIGHT_HEADERS, allow: ALLOWED_METHODS }));
}

/** Any error, in the envelope. What is not an ApiError is a bug of ours: it is logged, and the client learns nothing of it. */
export function respondWithError(event: H3Event, thrown: unknown, log: Log): Response {
  const error = thrown instanceof ApiError ? thrown : toInternalError(event, thrown, log);
  const body = Buffer.from(JSON.stringify(toErrorBody(error)));
  const headers = {
    ...error.headers,
    "cache-control": CACHE_CLASSES.error,
    "content-type": CONTENT_TYPE,
    "content-length": String(body.byteLength),
  };
  return send(event, getStatus(error), Object.entries(headers), body);
}

/**
 * The cheapest way through srvx to the socket: its own Response, with the headers as a list and the body as a Buffer. Nothing
 * is copied into a Headers object, and head and body leave in one write. Date is added by Node.
 */
function send(event: H3Event, status: number, headers: readonly Header[], body: Uint8Array | null = null): Response {
  const sent: Header[] = [...FIXED_HEADERS, ...headers, ...Object.entries(getCommonHeaders(event))];
  return new FastResponse(event.req.method === "HEAD" ? null : body, { status, headers: sent });
}

/** What tells that an answer is old. */
function toAgeHeaders({ stale, ageSeconds }: Reading<Answer>): Header[] {
  const headers: Header[] = [];
  if (stale) headers.push(["x-data-stale", "true"]);
  if (ageSeconds > 0) headers.push(["age", String(ageSeconds)]);
  return headers;
}

function preconditionFailed(): ApiError {
  return new ApiError({ code: "precondition_failed", message: "No ETag in If-Match is the one of this answer." });
}

function toInternalError(event: H3Event, thrown: unknown, log: Log): ApiError {
  log({ level: "error", message: `${event.req.method} ${event.url.pathname} failed`, error: thrown });
  return new ApiError({ code: "internal_error", message: "Something went wrong on our side." });
}
