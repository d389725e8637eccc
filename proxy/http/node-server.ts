import { createServer, type OutgoingHttpHeader } from "node:http";
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { once } from "node:events";
import type { H3 } from "h3";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import { ERROR_CODES } from "../../generator/contract/errors.ts";
import type { Allowance } from "../limits/limiter.ts";
import { rateLimited, toLimitHeaders, type Gate } from "../limits/rate-limit.ts";
import type { Header } from "../answer.ts";
import type { OnPlace } from "../cache/memory.ts";
import { createResponses } from "../cache/responses.ts";
import type { Log } from "../log.ts";
import { boundConnections, type BoundOptions } from "./connections.ts";
import { methodNotAllowed, type ApiError } from "../errors.ts";
import { toAwaitedCoding } from "./negotiation.ts";
import { findRefusal, HEAD_MAX_BYTES, toRefusal, type ConnectionError } from "./refusals.ts";
import { ApiResponse, toErrorReply, toReply, type Reply } from "./reply.ts";

export interface NodeServerOptions extends BoundOptions {
  app: H3;
  gate: Gate;
  now: () => number;
  log: Log;
  onPlace?: OnPlace | undefined;
  onRequest?: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  onRefused?: ((status: number) => void) | undefined;
  /** Whether answers end their connection (RFC 9112, 9.6). */
  isStopping?: () => boolean;
  node?: ServerOptions;
}

const CONNECTION_OPTIONS = {
  maxHeaderSize: HEAD_MAX_BYTES,
  /** From the first byte to the end of the head, and of the body: bounds slow writers. */
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 2_000,
  /** Longer than the 60 s of load balancers: the side that sends requests must close first. */
  keepAliveTimeout: 65_000,
  /** Strict about line feeds and body lengths, against request smuggling. */
  insecureHTTPParser: false,
  requireHostHeader: false,
} as const satisfies ServerOptions;

/**
 * Refuses and counts what cannot be read, repeats an answer
 * that is still fresh, and asks the app for the rest.
 */
export function createNodeServer(options: NodeServerOptions): Server {
  const { app, gate, now, log, onPlace, onRequest, onRefused, isStopping = () => false } = options;
  const responses = createResponses(now, onPlace);
  /** By connection: a refusal must not overtake its newest answer. */
  const newestAnswers = new Map<Socket, ServerResponse>();
  const refused = new WeakSet<Socket>();
  const server = createServer({ ...CONNECTION_OPTIONS, ...options.node }, handle);
  // Node would drop headers beyond a limit silently; errors.ts refuses them.
  server.maxHeadersCount = 0;
  // No request needs a body: nobody gets a 100 Continue.
  server.on("checkContinue", handle).on("checkExpectation", handle);
  server.on("connect", (_request, socket: Socket) => void refuseBytes(socket, methodNotAllowed()));
  server.on("clientError", (error: ConnectionError, socket: Socket) => {
    // Browsers connect ahead, and may take a 408 for the answer to their first request.
    const refusal = socket.bytesRead === 0 ? null : toRefusal(error);
    if (refusal === null) socket.destroy();
    else void refuseBytes(socket, refusal);
  });
  boundConnections(server, options);

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (!newestAnswers.has(socket)) socket.once("close", () => newestAnswers.delete(socket));
    newestAnswers.set(socket, response);
    if (isLast(request)) response.shouldKeepAlive = false;
    answer(request, response).catch((error: unknown) => {
      log({ level: "error", message: "an answer could not be made or sent", error });
      response.destroy();
    });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = findRefusal(request);
    if (refusal !== null) return refuse(request, response, refusal);
    onRequest?.(request, response);
    const source =
      toAwaitedCoding(request.headers["accept-encoding"]) === null ? responses.find(request) : null;
    if (source === null) return answerByApp(request, response);
    const allowance = await gate(request.socket.remoteAddress, request.headers);
    if (isStopping()) response.shouldKeepAlive = false;
    const reply = allowance.allowed
      ? toReply(source, request.headers)
      : toErrorReply(rateLimited(allowance));
    send(response, reply, allowance);
  }

  async function answerByApp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answered = await app.fetch(new NodeRequest({ req: request, res: response }));
    if (answered instanceof ApiResponse && answered.source !== null)
      responses.add(request, answered.source);
    if (isStopping() || answered.status === ERROR_CODES.rate_limited)
      response.shouldKeepAlive = false;
    await sendNodeResponse(response, answered);
  }

  async function refuse(
    request: IncomingMessage,
    response: ServerResponse,
    refusal: ApiError,
  ): Promise<void> {
    response.shouldKeepAlive = false;
    const allowance = await gate(request.socket.remoteAddress, request.headers);
    const error = allowance.allowed ? refusal : rateLimited(allowance);
    onRefused?.(error.status);
    send(response, toErrorReply(error), allowance);
  }

  /**
   * Refuses bytes that are no request. They count for
   * the peer: no header can say whom a proxy speaks for.
   */
  async function refuseBytes(socket: Socket, refusal: ApiError): Promise<void> {
    // The parser reports each packet after the first error too.
    if (refused.has(socket)) return;
    refused.add(socket);
    socket.on("error", () => socket.destroy());
    const newest = newestAnswers.get(socket);
    // A request with a malformed body gets its own answer.
    const isAnswered = newest?.req.complete === false;
    if (newest?.closed === false) await once(newest, "close");
    const allowance = await gate(socket.remoteAddress, {});
    if (isAnswered || !socket.writable) return void socket.destroy();
    onRefused?.(refusal.status);
    const { status, headers, body } = toErrorReply(refusal);
    const date: Header = ["date", new Date().toUTCString()];
    const all: Header[] = [...headers, ...toLimitHeaders(allowance), date, ["connection", "close"]];
    const lines = all.map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} \r\n${lines.join("")}\r\n${body?.toString() ?? ""}`);
    // After a close at once the client's system may drop our answer: read on for a moment.
    const timer = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS);
    socket.once("end", () => socket.destroy()).once("close", () => clearTimeout(timer));
    socket.resume();
  }

  return server;
}

const LINGER_MILLISECONDS = 1_000;
/** A shorter body is read and dropped, to keep the connection. */
const BODY_MAX_BYTES = 65_536;

function send(
  response: ServerResponse,
  { status, headers, body }: Reply,
  allowance: Allowance,
): void {
  // Over the limit, each request must connect again.
  if (!allowance.allowed) response.shouldKeepAlive = false;
  response.writeHead(
    status,
    headers.concat(toLimitHeaders(allowance)) as unknown as OutgoingHttpHeader[],
  );
  response.end(body);
}

/** Whether a request ends its connection: it has a long body, or asks for what Node does not do. */
function isLast({ headers }: IncomingMessage): boolean {
  // After a refused Upgrade Node 24's parser does not report malformed requests.
  if (headers.upgrade !== undefined || headers.expect !== undefined) return true;
  return (
    headers["transfer-encoding"] !== undefined ||
    Number(headers["content-length"] ?? 0) > BODY_MAX_BYTES
  );
}
