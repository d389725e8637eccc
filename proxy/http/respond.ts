import type { H3Event } from "h3";
import { FastResponse } from "srvx";
import { MESSAGES } from "../../generator/contract/errors.ts";
import { PREFLIGHT_HEADERS } from "../../generator/contract/response-headers.ts";
import type { Answer, Header, Reading } from "../answers/answer.ts";
import type { Log } from "../log/entry.ts";
import { ApiError } from "./api-error.ts";
import type { Negotiation } from "./negotiation.ts";
import { FIXED_HEADERS, toErrorReply, toReply, type Reply } from "./reply.ts";

export const ALLOWED_METHODS = "GET, HEAD, OPTIONS";

const NONE: readonly Header[] = [];

/** Sets what the limit has to say to a request, which its answer tells whatever it turns out to be. */
export function setLimitHeaders({ context }: H3Event, headers: readonly Header[]): void {
  // In the context, not event.res.headers: those would be merged into every answer through three copies.
  context["limitHeaders"] = headers;
}

/** An answer of the app, with what it was made of, for those on whose way to the client there is no Fetch (fast-lane/). */
export class ApiResponse extends FastResponse {
  readonly reply: Reply;
  /** null: an error, an answer to OPTIONS, or one that nobody should give again. */
  readonly source: Source | null;

  constructor(reply: Reply, source: Source | null) {
    const { status, fixedHeaders = FIXED_HEADERS, headers, moreHeaders, limitHeaders = NONE, body } = reply;
    // The cheapest way through srvx to the socket: the headers as a list and the body as a Buffer. Nothing is copied into a
    // Headers object, and head and body leave in one write. Date is added by Node.
    const allHeaders = [...fixedHeaders, ...headers, ...moreHeaders, ...limitHeaders];
    super(body as Uint8Array<ArrayBuffer> | null, { status, headers: allHeaders });
    this.reply = reply;
    this.source = source;
  }
}

/** What a successful answer of the API was made of. */
export interface Source {
  reading: Reading<Answer>;
  negotiation: Negotiation;
}

/** Answers GET and HEAD. @throws {ApiError} `precondition_failed` */
export function respondWith(event: H3Event, reading: Reading<Answer>, negotiation?: Negotiation): Response {
  const { headers } = event.req;
  const conditions = {
    acceptEncoding: headers.get("accept-encoding"),
    ifMatch: headers.get("if-match"),
    ifNoneMatch: headers.get("if-none-match"),
  };
  const source = negotiation === undefined ? null : { reading, negotiation };
  return send(event, toReply(reading, conditions, negotiation), source);
}

/** Answers OPTIONS, a preflight or not. */
export function respondWithOptions(event: H3Event): Response {
  const headers = Object.entries({ ...PREFLIGHT_HEADERS, allow: ALLOWED_METHODS });
  return send(event, { status: 204, headers: [], moreHeaders: headers, body: null }, null);
}

/** Any error, in the envelope. What is not an ApiError is a bug of ours: it is logged, and the client learns nothing of it. */
export function respondWithError(event: H3Event, thrown: unknown, log: Log): Response {
  const error = thrown instanceof ApiError ? thrown : toInternalError(event, thrown, log);
  return send(event, toErrorReply(error), null);
}

function send(event: H3Event, reply: Reply, source: Source | null): Response {
  const body = event.req.method === "HEAD" ? null : reply.body;
  const limitHeaders = (event.context["limitHeaders"] ?? NONE) as readonly Header[];
  return new ApiResponse({ ...reply, body, limitHeaders }, source);
}

function toInternalError(event: H3Event, thrown: unknown, log: Log): ApiError {
  log({ level: "error", message: `${event.req.method} ${event.url.pathname} failed`, error: thrown });
  return new ApiError({ code: "internal_error", message: MESSAGES.internal_error });
}
