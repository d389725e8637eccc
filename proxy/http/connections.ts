import { IncomingMessage, ServerResponse, type Server, type ServerOptions } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ApiError } from "./api-error.ts";
import { findRefusal, HEAD_MAX_BYTES, toRefusal } from "./refusal.ts";
import { createRefuser, type Refuser, type RefuserOptions } from "./refuser.ts";
import { ALLOWED_METHODS } from "./respond.ts";
import type { OpenTargets } from "./open-targets.ts";
import { cutSlowReaders } from "./slow-readers.ts";

/** Longest body that is read, and thrown away, to keep its connection in use. No request needs one. */
const BODY_MAX_BYTES = 65_536;
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
 * refused in the envelope, counted like any request (refuser.ts), and its connection closed. To be called before the server
 * takes connections.
 */
export function guardConnections(server: Server, options: RefuserOptions & { openTargets: OpenTargets }): void {
  // No limit: Node would drop those beyond it silently, and refusal.ts refuses them.
  server.maxHeadersCount = 0;
  // No limit: the rate limiter counts requests, and pipelined ones wait for the answers before them.
  server.maxRequestsPerSocket = 0;
  const guard: Guard = {
    server,
    openTargets: options.openTargets,
    refuser: createRefuser(options),
    newestAnswers: new WeakMap(),
    refused: new WeakSet(),
  };
  guardRequests(guard);
  guardSockets(guard);
  cutSlowReaders(server);
}

interface Guard {
  server: Server;
  openTargets: OpenTargets;
  refuser: Refuser;
  /** The newest answer of a connection: a refusal must not overtake it. */
  newestAnswers: WeakMap<Duplex, ServerResponse>;
  /** Connections with a last answer: nothing that comes after it is looked at. */
  refused: WeakSet<Duplex>;
}

/** As Node's parser tells of what it could not read, with its last piece, and of the clock and the system with nothing. */
type ParserError = Error & { rawPacket?: Uint8Array; bytesParsed?: number };

function guardRequests({ server, openTargets, refuser, newestAnswers, refused }: Guard): void {
  const handlers = server.listeners("request") as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (refused.has(socket)) return;
    newestAnswers.set(socket, response);
    openTargets.end(socket);
    const refusal = findRefusal(request);
    if (refusal !== null) {
      refused.add(socket);
      refuser.refuseRequest(request, response, refusal);
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

function guardSockets({ server, openTargets, refuser, newestAnswers, refused }: Guard): void {
  /** Answers after the answers under way; not at all if what went wrong is the body of a request that gets its own. */
  function endWith(socket: Socket, refuse: (response: ServerResponse) => void): void {
    // The parser reports every packet after its first error.
    if (refused.has(socket)) return;
    refused.add(socket);
    socket.on("error", () => socket.destroy());
    const newest = newestAnswers.get(socket);
    const isAnswered = newest?.req.complete === false;
    const close = () => (isAnswered || !socket.writable ? socket.destroy() : refuse(openLastAnswer(socket)));
    if (newest === undefined || newest.closed) close();
    else newest.once("close", close);
  }

  server.on("clientError", (error: ParserError, socket: Socket) => {
    const { rawPacket = new Uint8Array(), bytesParsed = rawPacket.length } = error;
    const isTargetOpen = () => openTargets.isOpen(socket, rawPacket.subarray(0, bytesParsed));
    // Whoever said nothing asked nothing. Browsers and load balancers connect ahead, and may take a 408 that came before their
    // first request for the answer to it.
    const refusal = socket.bytesRead === 0 ? null : toRefusal(error, isTargetOpen);
    if (refusal === null) socket.destroy();
    else endWith(socket, (response) => refuser.refuseBytes(socket, response, refusal));
  });
  server.on("connect", (request: IncomingMessage, socket: Socket) => {
    const message = `CONNECT is not for this server, which takes ${ALLOWED_METHODS}.`;
    const refusal = new ApiError({ code: "method_not_allowed", message, headers: { allow: ALLOWED_METHODS } });
    // Node has taken its listeners off the connection, and behind a refusal endWith adds none.
    socket.on("error", () => socket.destroy());
    endWith(socket, (response) => refuser.refuseRequest(request, response, refusal));
  });
}

/** An answer to nothing that Node knows of, after which a connection is closed. */
function openLastAnswer(socket: Socket): ServerResponse {
  const response = new ServerResponse(new IncomingMessage(socket));
  response.assignSocket(socket);
  response.once("finish", () => {
    const timer = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS);
    socket.once("close", () => clearTimeout(timer));
    socket.once("end", () => socket.destroy());
    socket.resume().end();
  });
  return response;
}

function isBodyShort({ headers }: IncomingMessage): boolean {
  if (headers["transfer-encoding"] !== undefined) return false;
  const length = headers["content-length"];
  return length === undefined || Number(length) <= BODY_MAX_BYTES;
}
