import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import { once } from "node:events";
import type { H3 } from "h3";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import { ERROR_CODES } from "../../generator/contract/errors.ts";
import type { Origin, TrustedProxies } from "../limits/client-address.ts";
import type { Allowance } from "../limits/limiter.ts";
import { rateLimited, toLimitHeaders, type Gate } from "../limits/rate-limit.ts";
import type { Header } from "../cache/answer.ts";
import { createPlace, MEMORY, toSize, type OnPlace } from "../cache/memory.ts";
import type { Log } from "../operations/log.ts";
import { boundConnections, type DropReason } from "./connections.ts";
import {
  findRefusal,
  HEAD_MAX_BYTES,
  methodNotAllowed,
  toRefusal,
  type ApiError,
  type ConnectionError,
} from "./errors.ts";
import { ApiResponse, toErrorReply, toReply, type Reply, type Source } from "./reply.ts";

export interface NodeServerOptions {
  app: H3;
  gate: Gate;
  trustedProxies: TrustedProxies;
  now: () => number;
  log: Log;
  onPlace?: OnPlace | undefined;
  onRequest?: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  onRefused?: ((status: number) => void) | undefined;
  onDropped?: ((reason: DropReason) => void) | undefined;
  /** Whether answers tell that their connection ends with them (RFC 9112, 9.6). */
  isStopping?: () => boolean;
  node?: ServerOptions;
}

const CONNECTION_OPTIONS = {
  maxHeaderSize: HEAD_MAX_BYTES,
  /** First byte to last of a request's head, and to the end of its body: slow writers hold no connection for long. */
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 2_000,
  /** Longer than the 60 s of common load balancers: the side that sends requests must be the one that closes. */
  keepAliveTimeout: 65_000,
  /** No bare line feeds, no two ways to say how long a body is: what one reads otherwise, requests are smuggled through. */
  insecureHTTPParser: false,
  requireHostHeader: false,
} as const satisfies ServerOptions;

/** Refuses and counts what cannot be read, repeats an answer that is still fresh, and asks the app for the rest. */
export function createNodeServer(options: NodeServerOptions): Server {
  const { app, gate, now, log, onPlace, onRequest, onRefused, isStopping = () => false } = options;
  const responses = createResponses(now, onPlace);
  /** The newest answer of a connection: a refusal must not overtake it. */
  const newestAnswers = new Map<Socket, ServerResponse>();
  const refused = new WeakSet<Socket>();
  const server = createServer({ ...CONNECTION_OPTIONS, ...options.node }, handle);
  // No limit: Node would drop those beyond it silently, and errors.ts refuses them.
  server.maxHeadersCount = 0;
  // Nobody is told to go on with a body, which no request needs.
  server.on("checkContinue", handle).on("checkExpectation", handle);
  server.on("connect", (_request, socket: Socket) => void refuseBytes(socket, methodNotAllowed()));
  server.on("clientError", (error: ConnectionError, socket: Socket) => {
    // Whoever said nothing asked nothing: browsers connect ahead, and may take a 408 for the answer to their first request.
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
    const source = responses.find(request);
    if (source === null) return answerByApp(request, response);
    const origin = toOrigin(request);
    const allowance = await gate(origin);
    if (isStopping()) response.shouldKeepAlive = false;
    const reply = allowance.allowed ? toReply(source, origin.headers) : toErrorReply(rateLimited(allowance));
    send(response, reply, allowance);
  }

  async function answerByApp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answered = await app.fetch(new NodeRequest({ req: request, res: response }));
    if (answered instanceof ApiResponse && answered.source !== null) responses.add(request, answered.source);
    if (isStopping() || answered.status === ERROR_CODES.rate_limited) response.shouldKeepAlive = false;
    await sendNodeResponse(response, answered);
  }

  async function refuse(request: IncomingMessage, response: ServerResponse, refusal: ApiError): Promise<void> {
    response.shouldKeepAlive = false;
    const allowance = await gate(toOrigin(request));
    const error = allowance.allowed ? refusal : rateLimited(allowance);
    onRefused?.(error.status);
    send(response, toErrorReply(error), allowance);
  }

  /** Of bytes that are no request. They count as one of the other end of the connection: whom a proxy heard, nobody can know. */
  async function refuseBytes(socket: Socket, refusal: ApiError): Promise<void> {
    // The parser reports every packet after its first error.
    if (refused.has(socket)) return;
    refused.add(socket);
    socket.on("error", () => socket.destroy());
    const newest = newestAnswers.get(socket);
    // What went wrong may be the body of a request that gets its own answer.
    const isAnswered = newest?.req.complete === false;
    if (newest?.closed === false) await once(newest, "close");
    const allowance = await gate({ peer: socket.remoteAddress, headers: new Headers() });
    if (isAnswered || !socket.writable) return void socket.destroy();
    onRefused?.(refusal.status);
    const { status, headers, body } = toErrorReply(refusal);
    const date: Header = ["date", new Date().toUTCString()];
    const all: Header[] = [...headers, ...toLimitHeaders(allowance), date, ["connection", "close"]];
    const lines = all.map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} \r\n${lines.join("")}\r\n${body?.toString() ?? ""}`);
    // Closed at once, its system would throw our answer away: the rest of what it sends is read for a moment.
    const timer = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS);
    socket.once("end", () => socket.destroy()).once("close", () => clearTimeout(timer));
    socket.resume();
  }

  return server;
}

const LINGER_MILLISECONDS = 1_000;
/** Longest body that is read, and thrown away, to keep its connection in use. No request needs one. */
const BODY_MAX_BYTES = 65_536;

function send(response: ServerResponse, { status, headers, body }: Reply, allowance: Allowance): void {
  // Whoever asks too much has to connect again.
  if (!allowance.allowed) response.shouldKeepAlive = false;
  response.writeHead(status, headers.concat(toLimitHeaders(allowance)) as unknown as OutgoingHttpHeader[]);
  response.end(body);
}

/** Whether a request ends its connection: by a long body, or one that may become long, and by what Node does not take up. */
function isLast({ headers }: IncomingMessage): boolean {
  // After an Upgrade that is not taken up Node's parser tells nobody of the next malformed request (Node 24).
  if (headers.upgrade !== undefined || headers.expect !== undefined) return true;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > BODY_MAX_BYTES;
}

function toOrigin({ socket, headers }: IncomingMessage): Origin {
  return { peer: socket.remoteAddress, headers: new RequestHeaders(headers) };
}

/** A class: tsx names each function that an expression makes, which takes longer than the rest of a request's limit. */
class RequestHeaders {
  readonly #headers: IncomingMessage["headers"];

  constructor(headers: IncomingMessage["headers"]) {
    this.#headers = headers;
  }

  get(name: string): string | null {
    return this.#headers[name]?.toString() ?? null;
  }
}

/** Answers that are still fresh, by target. Coding and conditions are decided for each request. */
function createResponses(now: () => number, onPlace: OnPlace | undefined) {
  const held = createPlace<Source & { since: number }>("responses", MEMORY.responsesMaxBytes, onPlace);
  return {
    find({ method, url = "", headers }: IncomingMessage): Source | null {
      if ((method !== "GET" && method !== "HEAD") || headers["if-match"] !== undefined) return null;
      const found = held.get(url);
      if (found === undefined) return null;
      const time = now();
      // A clock that was set back must not keep an answer for an hour.
      if (time < found.reading.freshUntil && time >= found.since) return found;
      held.delete(url);
      return null;
    },
    add({ url = "" }: IncomingMessage, { reading, variants }: Source): void {
      const since = now();
      if (reading.freshUntil <= since) return;
      held.set(url, { reading, variants, since }, toSize(url.length + reading.value.body.byteLength));
    },
  };
}
