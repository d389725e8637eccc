import type { EventHandler, H3Event } from "h3";
import { FastResponse } from "srvx";
import { CACHE_CLASSES } from "../../generator/contract/cache.ts";
import type { ErrorBody } from "../../generator/contract/errors.ts";
import { FORMS } from "../../generator/contract/forms.ts";
import { PREFLIGHT_HEADERS } from "../../generator/contract/response-headers.ts";
import { FIXED_HEADERS, PAGE_HEADERS, toValidatorHeaders } from "../answer.ts";
import type { Answer, Header, Cached } from "../answer.ts";
import type { Source } from "../cache/responses.ts";
import type { Variants } from "../cache/variants.ts";
import type { RequestHeaders } from "../limits/client-address.ts";
import { getLimitHeaders, toNodeHeaders } from "../limits/rate-limit.ts";
import { ALLOWED_METHODS, ApiError, methodNotAllowed, notFound } from "../errors.ts";
import {
  chooseRepresentation,
  findHeldEtag,
  isMatched,
  toAcceptedEtags,
  toAwaitedCoding,
} from "./negotiation.ts";

export interface Reply {
  status: number;
  headers: readonly Header[];
  body: Buffer | null;
}

/**
 * An answer of the app with its source, from which node-server.ts answers again while it is fresh.
 */
export class ApiResponse extends FastResponse {
  readonly source: Source | null;

  constructor(
    { req, context }: H3Event,
    { status, headers, body }: Reply,
    source: Source | null = null,
  ) {
    // The cheapest way through srvx: headers as a list and the body as a Buffer leave in one write.
    const sent = req.method === "HEAD" ? null : (body as Uint8Array<ArrayBuffer> | null);
    super(sent, {
      status,
      headers: [...headers, ...getLimitHeaders(context)] as [string, string][],
    });
    this.source = source;
  }
}

export async function respondWith(event: H3Event, source: Source): Promise<Response> {
  const headers = toNodeHeaders(event.req);
  const coding = toAwaitedCoding(headers["accept-encoding"]);
  if (coding !== null) await source.variants.make(source.cached.value, coding);
  return new ApiResponse(event, toReply(source, headers), source);
}

export function defineGet(
  answer: (event: H3Event) => Promise<Cached<Answer>>,
  variants: Variants,
): EventHandler {
  return async (event) => {
    // The router ignores a slash at the end, but caches would hold such a document twice.
    if (event.url.pathname.endsWith("/")) throw notFound();
    const { method } = event.req;
    if (method === "OPTIONS")
      return new ApiResponse(event, { status: 204, headers: OPTIONS_HEADERS, body: null });
    if (method !== "GET" && method !== "HEAD") throw methodNotAllowed();
    return respondWith(event, { cached: await answer(event), variants });
  };
}

const OPTIONS_HEADERS = [
  ...FIXED_HEADERS,
  ...Object.entries({ ...PREFLIGHT_HEADERS, allow: ALLOWED_METHODS }),
];

/**
 * Ignores, as RFC 9110 allows, If-Modified-Since and If-Unmodified-Since (13.1.3: we have
 * no modification dates), Range (14.2) and Accept (12.5.1: JSON helps more than a 406).
 * @throws {ApiError} `precondition_failed`
 */
export function toReply({ cached, variants }: Source, requested: RequestHeaders): Reply {
  const { value: answer } = cached;
  const {
    "accept-encoding": acceptEncoding,
    "if-match": ifMatch,
    "if-none-match": ifNoneMatch,
  } = requested;
  const { body, etag, headers } = chooseRepresentation(answer, acceptEncoding, variants);
  if (ifMatch !== undefined || ifNoneMatch !== undefined) {
    const etags = [etag, ...toAcceptedEtags(answer, acceptEncoding)];
    // RFC 9110, 13.2.2, gives the order.
    if (ifMatch !== undefined && !isMatched(ifMatch, etags))
      throw new ApiError("precondition_failed", "If-Match names no ETag of this answer.");
    const held = ifNoneMatch === undefined ? null : findHeldEtag(ifNoneMatch, etags);
    if (held !== null)
      return {
        status: 304,
        headers: withAge(toValidatorHeaders(answer.content, held), cached),
        body: null,
      };
  }
  return { status: 200, headers: withAge(headers, cached), body };
}

/** @param page what people get instead of JSON */
export function toErrorReply({ code, message, status, headers }: ApiError, page?: string): Reply {
  const body = Buffer.from(
    page ?? JSON.stringify({ error: { code, message } } satisfies ErrorBody),
  );
  const own = {
    ...headers,
    "cache-control": CACHE_CLASSES.error,
    "content-type": FORMS[page === undefined ? "document" : "page"].contentType,
    "content-length": String(body.byteLength),
  };
  return {
    status,
    headers: [...(page === undefined ? FIXED_HEADERS : PAGE_HEADERS), ...Object.entries(own)],
    body,
  };
}

function withAge(
  headers: readonly Header[],
  { stale, ageSeconds }: Cached<Answer>,
): readonly Header[] {
  if (!stale && ageSeconds === 0) return headers;
  const old: Header[] = stale ? [["x-data-stale", "true"]] : [];
  return [...headers, ...old, ...(ageSeconds > 0 ? [["age", String(ageSeconds)] as const] : [])];
}
