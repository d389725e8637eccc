import type { EventHandler, H3Event } from "h3";
import { FastResponse } from "srvx";
import { CACHE_CLASSES } from "../../generator/contract/cache.ts";
import type { ErrorBody } from "../../generator/contract/errors.ts";
import { FORMS } from "../../generator/contract/forms.ts";
import { PREFLIGHT_HEADERS } from "../../generator/contract/response-headers.ts";
import { FIXED_HEADERS, PAGE_HEADERS, type Answer, type Header } from "../answer.ts";
import { toAgeHeaders, type Cached } from "../cache/cache.ts";
import { ALLOWED_METHODS, ApiError, methodNotAllowed, notFound } from "../errors.ts";
import { getLimitHeaders } from "../limits/rate-limit.ts";
import { getEventId, toIdHeader } from "./request-id.ts";

/** Answers GET and HEAD, OPTIONS with 204, and other methods with 405. */
export function defineGet(answer: (event: H3Event) => Promise<Cached<Answer>>): EventHandler {
  return async (event) => {
    // The router ignores a slash at the end, but caches would hold such a document twice.
    if (event.url.pathname.endsWith("/")) throw notFound();
    const { method } = event.req;
    if (method === "OPTIONS") return toResponse(event, 204, OPTIONS_HEADERS, null);
    if (method !== "GET" && method !== "HEAD") throw methodNotAllowed();
    return respond(event, await answer(event));
  };
}

const OPTIONS_HEADERS: readonly Header[] = [
  ...FIXED_HEADERS,
  ...Object.entries({ ...PREFLIGHT_HEADERS, allow: ALLOWED_METHODS }),
];

/**
 * Ignores, as RFC 9110 allows, Range (14.2) and Accept (12.5.1: JSON helps more than a 406).
 * @throws {ApiError} `precondition_failed`
 */
export function respond(event: H3Event, cached: Cached<Answer>): Response {
  const { value: answer } = cached;
  assertWanted(answer, event.req);
  const old = toAgeHeaders(cached);
  return isNotModified(answer, event.req)
    ? toResponse(event, 304, [...answer.validatorHeaders, ...old], null)
    : toResponse(event, 200, [...answer.headers, ...old], answer.body);
}

function assertWanted({ etag, modifiedAt }: Answer, { headers }: H3Event["req"]): void {
  const ifMatch = headers.get("if-match");
  // RFC 9110, 13.1.1: a weak ETag matches nothing here.
  if (ifMatch !== null && !isNamed(etag, ifMatch))
    throw new ApiError("precondition_failed", "If-Match names no ETag of this answer.");
  const since = toSeconds(headers.get("if-unmodified-since"));
  if (ifMatch === null && modifiedAt !== null && toSeconds(modifiedAt) > since)
    throw new ApiError("precondition_failed", "The answer changed after If-Unmodified-Since.");
}

/** Whether the client has the answer. Its ETag counts before its time (RFC 9110, 13.2.2). */
function isNotModified({ etag, modifiedAt }: Answer, { headers }: H3Event["req"]): boolean {
  const ifNoneMatch = headers.get("if-none-match");
  // RFC 9110, 13.1.2: a CDN that compresses makes ETags weak.
  if (ifNoneMatch !== null) return isNamed(etag, ifNoneMatch.replaceAll("W/", ""));
  return (
    modifiedAt !== null && toSeconds(modifiedAt) <= toSeconds(headers.get("if-modified-since"))
  );
}

/** A time of HTTP has no fractions. NaN: none is given, or it is malformed, and compares as false. */
function toSeconds(time: number | string | null): number {
  return Math.floor((typeof time === "number" ? time : Date.parse(time ?? "")) / 1_000);
}

/** Our ETags hold no comma and no slash. */
function isNamed(etag: string, list: string): boolean {
  return list.trim() === "*" || list.split(",").some((tag) => tag.trim() === etag);
}

/** Answers with an error of the API, as JSON. */
export function respondWithError(event: H3Event, error: ApiError): Response {
  return toResponse(event, error.status, ...toErrorContent(error));
}

/** @param page what people get instead of JSON */
export function respondWithErrorPage(event: H3Event, error: ApiError, page: string): Response {
  const body = Buffer.from(page);
  const headers = toErrorHeaders(error, body, FORMS.page.contentType);
  return toResponse(event, error.status, [...PAGE_HEADERS, ...headers], body);
}

/** Returns headers and body of an error; those of the rate limit and the id are not among them. */
export function toErrorContent(error: ApiError): [headers: readonly Header[], body: Buffer] {
  const { code, message, param } = error;
  const body = Buffer.from(JSON.stringify({ error: { code, message, param } } satisfies ErrorBody));
  const headers = toErrorHeaders(error, body, FORMS.document.contentType);
  return [[...FIXED_HEADERS, ...headers], body];
}

function toErrorHeaders({ headers }: ApiError, body: Buffer, contentType: string): Header[] {
  return [
    ...headers,
    ["cache-control", CACHE_CLASSES.error],
    ["content-type", contentType],
    ["content-length", String(body.byteLength)],
  ];
}

/** The cheapest way through srvx: headers as a list and the body as a Buffer leave in one write. */
function toResponse(
  event: H3Event,
  status: number,
  headers: readonly Header[],
  body: Buffer | null,
): Response {
  const own = [toIdHeader(getEventId(event)), ...getLimitHeaders(event.context)];
  const all = [...headers, ...own] as [string, string][];
  return new FastResponse(body as Uint8Array<ArrayBuffer> | null, { status, headers: all });
}
