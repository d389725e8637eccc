import { CACHE_CLASSES } from "../../generator/contract/cache.ts";
import { CONTENT_TYPE } from "../../generator/contract/objects.ts";
import { CORS_HEADERS, SECURITY_HEADERS } from "../../generator/contract/response-headers.ts";
import { toValidatorHeaders, type Answer, type Header, type Reading } from "../answers/answer.ts";
import { ApiError, getStatus, toErrorBody } from "./api-error.ts";
import { findHeldEtag, isMatched } from "./entity-tags.ts";
import type { Negotiation } from "./negotiation.ts";

/** What is sent to a client, by whatever way, beside {@link FIXED_HEADERS} and what the limit has to say. */
export interface Reply {
  status: number;
  /** Sent instead of {@link FIXED_HEADERS}, which are the API's: pages have a policy of their own. */
  fixedHeaders?: readonly Header[];
  /** Of the representation: the same list in each answer of it. */
  headers: readonly Header[];
  /** Of this answer alone. */
  moreHeaders: readonly Header[];
  /** What the limit has to say, where it is not among those: the same list for the same words. */
  limitHeaders?: readonly Header[];
  body: Uint8Array | null;
}

/** The headers of a request that decide how its answer is sent. */
export interface Conditions {
  acceptEncoding: string | null;
  ifMatch: string | null;
  ifNoneMatch: string | null;
}

/** The same on every answer. */
export const FIXED_HEADERS: readonly Header[] = Object.entries({ ...CORS_HEADERS, ...SECURITY_HEADERS });

/**
 * 200 with the answer, in the coding the client likes best, or 304 if the client holds it already in one that it accepts.
 * Some headers are not read, as RFC 9110 says or allows: If-Modified-Since and If-Unmodified-Since, since there is no date of
 * modification to compare with (13.1.3, 13.1.4); Range (14.2); Accept, since JSON is better than a 406 (12.5.1).
 *
 * @throws {ApiError} `precondition_failed`, if an If-Match does not hold
 */
export function toReply(reading: Reading<Answer>, conditions: Conditions, negotiation?: Negotiation): Reply {
  const { value: answer } = reading;
  const { acceptEncoding, ifMatch, ifNoneMatch } = conditions;
  const chosen = negotiation?.choose(answer, acceptEncoding) ?? answer;
  if (ifMatch !== null || ifNoneMatch !== null) {
    const etags = [chosen.etag, ...(negotiation?.toAcceptedEtags(answer, acceptEncoding) ?? [])];
    // In this order: RFC 9110, 13.2.2.
    if (ifMatch !== null && !isMatched(ifMatch, etags)) throw preconditionFailed();
    const held = ifNoneMatch === null ? null : findHeldEtag(ifNoneMatch, etags);
    if (held !== null) return toNotModified([...toValidatorHeaders(answer, held), ...toAgeHeaders(reading)]);
  }
  return { status: 200, headers: chosen.headers, moreHeaders: toAgeHeaders(reading), body: chosen.body };
}

function toNotModified(moreHeaders: readonly Header[]): Reply {
  return { status: 304, headers: [], moreHeaders, body: null };
}

/** An error, in the envelope. */
export function toErrorReply(error: ApiError): Reply {
  const body = Buffer.from(JSON.stringify(toErrorBody(error)));
  const headers = Object.entries({
    ...error.headers,
    "cache-control": CACHE_CLASSES.error,
    "content-type": CONTENT_TYPE,
    "content-length": String(body.byteLength),
  });
  return { status: getStatus(error), headers: [], moreHeaders: headers, body };
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
