import { STATUS_CODES, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { CACHE_CLASSES } from "../../generator/contract/cache.ts";
import { CONTENT_TYPE } from "../../generator/contract/objects.ts";
import { ApiError, getStatus, toErrorBody } from "./api-error.ts";
import { CORS_HEADERS } from "./cors.ts";
import { findRefusal, HEAD_MAX_BYTES, toRefusal } from "./refusal.ts";
import { ALLOWED_METHODS } from "./respond.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";
import { cutSlowReaders } from "./slow-readers.ts";

/** Longest body that is read, and thrown away, to keep its connection in use. No request needs one. */
const BODY_MAX_BYTES = 65_536;
/** Connections at a time: some 20 KB each. Those beyond are closed at once. */
const CONNECTIONS_MAX = 10_000;
/** A refused client's remaining bytes are read for so long: closed at once, its system would throw our answer away. */
const LINGER_MILLISECONDS = 1_000;

/** How Node's server is to treat connections, said on purpose where its default would do as well. */
export const CONNECTION_OPTIONS = {
  maxHeaderSize: HEAD_MAX_BYTES,
  /** First byte to last of a request's head, and to the end of its body: slow writers hold no connection for long. */
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 2_000,
  /** Longer than the 60 s of common load balancers: the side that sends requests must be the one that closes. */
  keepAliveTimeout: 65_000,
  /** No bare line feeds, no two ways to say how long a body is: what one reads otherwise, requests are smuggled through. */
  insecureHTTPParser: false,
  /** Asked for in refusal.ts: Node's own answer would be empty. */
  requireHostHeader: false,
  /** Repeated headers that can be joined are joined anyway; of the others the first counts. */
  joinDuplicateHeaders: false,
} as const satisfies ServerOptions;

/**
 * Takes charge of what happens on a server's connections below the app: what cannot be read or should not be looked at is
 * refused in the envelope, and its connection closed. To be called before the server takes connections.
 */
export function guardConnections(server: Server): void {
  server.maxConnections = CONNECTIONS_MAX;
  // No limit: Node would drop those beyond it silently, and refusal.ts refuses them.
  server.maxHeadersCount = 0;
  // No limit: the rate limiter counts requests, and pipelined ones wait for the answers before them.
  server.maxRequestsPerSocket = 0;
  guardRequests(server);
  guardSockets(server);
  cutSlowReaders(server);
}

/** The newest answer of a connection: a refusal must not overtake it. */
const newestAnswers = new WeakMap<Duplex, ServerResponse>();

function guardRequests(server: Server): void {
  const handlers = server.listeners("request") as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    newestAnswers.set(request.socket, response);
    const refusal = findRefusal(request);
    if (refusal !== null) {
      refuse(response, refusal);
      return;
    }
    // A body that is long, or may become so, is not waited for. And after an Upgrade that is not taken up Node's parser tells
    // nobody of the next malformed request (Node 24): its client would wait for ever.
    if (!isBodyShort(request) || request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    for (const handle of handlers) handle(request, response);
  });
  // Nobody is told to go on with a body. After a final answer it may come or not: the connection cannot be used again.
  const withoutContinue = (request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false;
    server.emit("request", request, response);
  };
  server.on("checkContinue", withoutContinue).on("checkExpectation", withoutContinue);
}

function guardSockets(server: Server): void {
  const refused = new WeakSet<Duplex>();
  const refuseOnce = (socket: Duplex, error: ApiError | null) => {
    // The parser reports every packet after its first error.
    if (refused.has(socket)) return;
    refused.add(socket);
    refuseSocket(socket, error);
  };
  server.on("clientError", (error: Error, socket) => refuseOnce(socket, toRefusal(error)));
  server.on("connect", (_, socket) => {
    const message = `CONNECT is not for this server, which takes ${ALLOWED_METHODS}.`;
    refuseOnce(socket, new ApiError({ code: "method_not_allowed", message, headers: { allow: ALLOWED_METHODS } }));
  });
}

function refuse(response: ServerResponse, error: ApiError): void {
  const { status, headers, body } = toAnswer(error);
  response.shouldKeepAlive = false;
  response.writeHead(status, headers).end(body);
}

/** Answers after the answers under way; not at all if what went wrong is the body of a request that gets its own. */
function refuseSocket(socket: Duplex, error: ApiError | null): void {
  if (error === null) return void socket.destroy();
  const newest = newestAnswers.get(socket);
  const isAnswered = newest?.req.complete === false;
  const close = () => (isAnswered ? void socket.destroy() : closeWith(socket, toBytes(error)));
  if (newest === undefined || newest.closed) close();
  else newest.once("close", close);
}

function closeWith(socket: Duplex, bytes: string): void {
  if (!socket.writable) return void socket.destroy();
  socket.on("error", () => socket.destroy());
  const timer = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS);
  socket.once("close", () => clearTimeout(timer));
  socket.once("end", () => socket.destroy());
  socket.resume().end(bytes);
}

function toBytes(error: ApiError): string {
  const { status, headers, body } = toAnswer(error);
  const lines = Object.entries({ ...headers, connection: "close" }).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`, ...lines, "", body].join("\r\n");
}

function toAnswer(error: ApiError) {
  const body = JSON.stringify(toErrorBody(error));
  const headers: Record<string, string> = {
    ...CORS_HEADERS,
    ...SECURITY_HEADERS,
    ...error.headers,
    "cache-control": CACHE_CLASSES.error,
    "content-type": CONTENT_TYPE,
    "content-length": String(Buffer.byteLength(body)),
  };
  return { status: getStatus(error), headers, body };
}

function isBodyShort({ headers }: IncomingMessage): boolean {
  if (headers["transfer-encoding"] !== undefined) return false;
  const length = headers["content-length"];
  return length === undefined || Number(length) <= BODY_MAX_BYTES;
}
