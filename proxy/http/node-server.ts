import { createServer, STATUS_CODES } from "node:http";
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { toNodeHandler, type H3 } from "h3";
import { MESSAGES } from "../../generator/contract/errors.ts";
import type { Header } from "../answer.ts";
import { ApiError, malformedRequest } from "../errors.ts";
import { getRequestId, toIdHeader } from "./request-id.ts";
import { toErrorContent } from "./respond.ts";

/** What a server is made of. */
export interface NodeServerOptions {
  app: H3;
  onRequest?: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** Of the answers to bytes that are no request, beside those of every error. */
  refusalHeaders: readonly Header[];
  /** Of bytes that are no request. */
  onRefused?: ((refusal: Refusal) => void) | undefined;
  /** Of a connection beyond CONNECTIONS_MAX. */
  onDropped?: (() => void) | undefined;
  node?: ServerOptions;
}

/** An answer to bytes that are no request. */
export interface Refusal {
  status: number;
  requestId: string;
}

/** Some 20 KB each. */
export const CONNECTIONS_MAX = 10_000;
/** First line and headers together. */
const HEAD_MAX_BYTES = 16_384;
/** Also cuts clients that do not read their answer. */
const SILENCE_MILLISECONDS = 30_000;
/** After a close at once, the client's system may drop our answer. */
const LINGER_MILLISECONDS = 1_000;

const LIMITS = {
  maxHeaderSize: HEAD_MAX_BYTES,
  // Node's own refusal has no body.
  requireHostHeader: false,
  // Otherwise all but the first Host would be hidden.
  joinDuplicateHeaders: true,
  /** From the first byte to the end of the head, and of the body: bounds slow writers. */
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 2_000,
  /** Longer than the 60 s of load balancers: the side that sends requests must close first. */
  keepAliveTimeout: 65_000,
} as const satisfies ServerOptions;

/** Gives requests to the app, within Node's own limits. */
export function createNodeServer(options: NodeServerOptions): Server {
  const { app, refusalHeaders, onRequest, onRefused, onDropped } = options;
  const handle = toNodeHandler(app);
  const [headers, malformedBody] = toErrorContent(malformedRequest());
  const malformedHeaders = [...headers, ...refusalHeaders];
  const server = createServer({ ...LIMITS, ...options.node }, (request, response) => {
    const isClear = hasClearHost(request);
    // After a request to leave HTTP/1.1, Node's parser does not report a malformed one.
    if (!isClear || request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    if (isClear) return void handle(request, response);
    const all = [...malformedHeaders, toIdHeader(getRequestId(request))].flat();
    response.writeHead(400, all).end(malformedBody);
  });
  // Node's own answer is no JSON, and no request needs a body.
  server.on("checkExpectation", (...exchange) => server.emit("request", ...exchange));
  server.maxConnections = CONNECTIONS_MAX;
  server.timeout = SILENCE_MILLISECONDS;
  if (onRequest !== undefined) server.prependListener("request", onRequest);
  if (onDropped !== undefined) server.on("drop", onDropped);
  server.on("clientError", (error: ParserError, socket: Socket) => {
    // The parser reports each packet after the first error too.
    if (socket.writableEnded) return;
    const refusal = toRefusal(error);
    // A client may take a 408 that it did not wait for as the answer to its next request.
    const isLate = refusal.status === 408 && (socket.bytesRead === 0 || socket.bytesWritten > 0);
    if (!socket.writable || isLate) return void socket.destroy();
    const requestId = getRequestId(error);
    onRefused?.({ status: refusal.status, requestId });
    socket.end(toBytes(refusal, [...refusalHeaders, toIdHeader(requestId)]));
    setTimeout(() => socket.destroy(), LINGER_MILLISECONDS).unref();
  });
  return server;
}

/** A host, an IPv4 or a bracketed IPv6 address, and a port: no comma, which joins two headers. */
const HOST = /^[\w.:[\]-]*$/;

/** RFC 9112, 3.2: of two hosts, machines on the way may take the other one. */
function hasClearHost({ headers: { host }, httpVersion }: IncomingMessage): boolean {
  return host === undefined ? httpVersion !== "1.1" : HOST.test(host);
}

type ParserError = Error & { code?: string };

function toRefusal({ code }: ParserError): ApiError {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new ApiError("request_timeout", MESSAGES.request_timeout);
  if (code === "HPE_HEADER_OVERFLOW")
    return new ApiError(
      "headers_too_large",
      `A request's first line and headers must have at most ${HEAD_MAX_BYTES} bytes.`,
    );
  return malformedRequest();
}

/** Node has no response object for what is no request. */
function toBytes(refusal: ApiError, more: readonly Header[]): string {
  const [headers, body] = toErrorContent(refusal);
  const lines = [
    ...headers,
    ...more,
    ["date", new Date().toUTCString()],
    ["connection", "close"],
  ].map(([name, value]) => `${name}: ${value}\r\n`);
  const { status } = refusal;
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body.toString()}`;
}
