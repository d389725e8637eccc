import { HTTPResponse, type H3Event } from "h3";
import { CACHE_CLASSES } from "../../generator/contract/cache.ts";
import { CONTENT_TYPE } from "../../generator/contract/objects.ts";
import type { Answer, Reading } from "../answers/answer.ts";
import { ApiError, getStatus, toErrorBody } from "./api-error.ts";
import { CORS_HEADERS, PREFLIGHT_HEADERS } from "./cors.ts";
import type { Log } from "../operations/log.ts";

export const ALLOWED_METHODS = "GET, HEAD, OPTIONS";

/** Headers that a request's answer carries whatever it turns out to be. The middleware fills them in. */
export function getCommonHeaders(event: H3Event): Record<string, string> {
  // A plain object in the context, not event.res.headers: those would be merged into every answer through three copies.
  return (event.context["commonHeaders"] ??= { ...CORS_HEADERS }) as Record<string, string>;
}

/** 200 with the answer, or 304 if the client holds it already. h3 drops the body of a HEAD. */
export function respondWith(event: H3Event, { value: answer, stale }: Reading<Answer>): HTTPResponse {
  const headers: Record<string, string> = {
    ...getCommonHeaders(event),
    etag: answer.etag,
    "cache-control": CACHE_CLASSES[answer.cache],
  };
  if (stale) headers["x-data-stale"] = "true";
  if (isHeld(event.req.headers.get("if-none-match"), answer.etag))
    return new HTTPResponse(null, { status: 304, headers });
  headers["content-type"] = CONTENT_TYPE;
  headers["content-length"] = String(answer.body.byteLength);
  return new HTTPResponse(answer.body, { status: 200, headers });
}

/** Answers OPTIONS, a preflight or not. */
export function respondWithOptions(event: H3Event): HTTPResponse {
  const headers = { ...getCommonHeaders(event), ...PREFLIGHT_HEADERS, allow: ALLOWED_METHODS };
  return new HTTPResponse(null, { status: 204, headers });
}

/** Any error, in the envelope. What is not an ApiError is a bug of ours: it is logged, and the client learns nothing of it. */
export function respondWithError(event: H3Event, thrown: unknown, log: Log): HTTPResponse {
  const error = thrown instanceof ApiError ? thrown : toInternalError(event, thrown, log);
  const body = JSON.stringify(toErrorBody(error));
  const headers = {
    ...getCommonHeaders(event),
    ...error.headers,
    "cache-control": CACHE_CLASSES.error,
    "content-type": CONTENT_TYPE,
    "content-length": String(Buffer.byteLength(body)),
  };
  return new HTTPResponse(body, { status: getStatus(error), headers });
}

function toInternalError(event: H3Event, thrown: unknown, log: Log): ApiError {
  log({ level: "error", message: `${event.req.method} ${event.url.pathname} failed`, error: thrown });
  return new ApiError({ code: "internal_error", message: "Something went wrong on our side." });
}

/** Whether If-None-Match names the ETag. Compared weakly (RFC 9110, 13.1.2): a CDN that compresses makes ETags weak. */
function isHeld(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === etag);
}
