import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { ServerRequest } from "srvx";
import { CONNECTION_OPTIONS } from "../http/connections.ts";
import { rateLimited, toLimitHeaders, type Gate } from "../http/gate.ts";
import { toErrorReply, toReply, type Reply } from "../http/reply.ts";
import { ApiResponse, type Source } from "../http/respond.ts";
import type { OpenTargets } from "../http/open-targets.ts";
import type { Log } from "../log/entry.ts";
import type { Allowance } from "../limits/limiter.ts";
import type { RequestObserver } from "../operations/requests.ts";
import { serveConnection, type Connection } from "./connection.ts";
import type { PlainHeaders, PlainRequest } from "./plain-request.ts";
import type { OnPlace } from "../memory.ts";
import { createRemembered } from "./remembered.ts";

interface FastLaneOptions {
  /** The app. */
  fetch: (request: ServerRequest) => Response | Promise<Response>;
  gate: Gate;
  requests: Pick<RequestObserver, "observe" | "isEnding">;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** What HTTP calls Date: the machine's time, as Node's own answers tell it. */
  date: () => string;
  log: Log;
  /** Told of what Node's parser is given first of a connection. */
  openTargets: Pick<OpenTargets, "begin">;
  /** Told of the place where answers are remembered. */
  onPlace?: OnPlace;
}

/** Where the app is said to be. It answers the same whatever it was called by. */
const ORIGIN = "http://proxy";
/** As often as Node's server looks at those connections that it parses itself. */
const LOOK_MILLISECONDS = CONNECTION_OPTIONS.connectionsCheckingInterval;

type ConnectionListener = (this: Server, socket: Socket) => void;

/**
 * Takes the connections of a server and answers the plainest requests itself: Node's parser, its request and response and their
 * streams are more than half of what a short answer costs. What was answered a moment ago is given again without the app; all else
 * goes through it. Both ways end in reply.ts and gate.ts, so that nobody can tell them apart. Whoever listens to the server's
 * connections by now is told only of those that are left to Node.
 */
export function joinFastLane(
  server: Server,
  { fetch, gate, requests, now, date, log, openTargets, onPlace }: FastLaneOptions,
): void {
  const remembered = createRemembered(now, onPlace);
  const connections = new Map<Socket, Connection>();

  function answer(request: PlainRequest, peer: string | undefined): Reply | Promise<Reply> {
    const source = findSource(request);
    if (source === null) return askApp(request, peer);
    const allowance = gate({ peer, getHeader: request.headers.get });
    if (allowance instanceof Promise) return allowance.then((allowance) => answerFrom(source, request, allowance));
    return answerFrom(source, request, allowance);
  }

  function findSource({ method, target, headers }: PlainRequest): Source | null {
    return method === "OPTIONS" || headers.get("if-match") !== null ? null : remembered.find(target);
  }

  async function askApp(request: PlainRequest, peer: string | undefined): Promise<Reply> {
    const response = await fetch(toServerRequest(request, peer));
    if (!(response instanceof ApiResponse)) throw new Error(`The app has no answer of its own to ${request.target}.`);
    if (response.source !== null) remembered.add(request.target, response.source);
    return response.reply;
  }

  const listeners = server.listeners("connection") as ConnectionListener[];
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    const connection = serveConnection(socket, {
      answer,
      handOver(socket, piece) {
        connections.delete(socket);
        openTargets.begin(socket, piece);
        for (const listener of listeners) listener.call(server, socket);
        socket.unshift(piece);
        socket.resume();
      },
      timeouts: server,
      isEnding: requests.isEnding,
      onRequest: ({ method, target }, socket) => requests.observe(method, target, socket),
      onBug: (error) => log({ level: "error", message: "an answer could not be made or sent", error }),
      date,
    });
    connections.set(socket, connection);
    socket.once("close", () => connections.delete(socket));
  });

  const looks = setInterval(() => {
    for (const connection of connections.values()) connection.look(LOOK_MILLISECONDS);
  }, LOOK_MILLISECONDS);
  looks.unref();
  server.once("close", () => clearInterval(looks));

  // Node's server knows only the connections that it parses itself.
  const closeIdleConnections = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    closeIdleConnections();
    for (const connection of connections.values()) connection.closeIfIdle();
  };
  const closeAllConnections = server.closeAllConnections.bind(server);
  server.closeAllConnections = () => {
    closeAllConnections();
    for (const socket of connections.keys()) socket.destroy();
  };
}

function answerFrom({ reading, negotiation }: Source, request: PlainRequest, allowance: Allowance): Reply {
  const { method, headers } = request;
  const conditions = {
    acceptEncoding: headers.get("accept-encoding"),
    ifNoneMatch: headers.get("if-none-match"),
    ifMatch: null,
  };
  const reply = allowance.allowed ? toReply(reading, conditions, negotiation) : toErrorReply(rateLimited(allowance));
  const { status, headers: ownHeaders, moreHeaders, body } = reply;
  const limitHeaders = toLimitHeaders(allowance);
  return { status, headers: ownHeaders, moreHeaders, limitHeaders, body: method === "HEAD" ? null : body };
}

/** What the app reads of a request, and no more: a whole Request takes longer to make than most answers. */
function toServerRequest({ method, target, headers }: PlainRequest, peer: string | undefined): ServerRequest {
  const request = { method, url: ORIGIN + target, headers: toFetchHeaders(headers), ip: peer };
  return request as Pick<ServerRequest, "method" | "url" | "headers" | "ip"> as ServerRequest;
}

function toFetchHeaders(headers: PlainHeaders): Headers {
  const read: Pick<Headers, "get" | "has"> = {
    get: (name) => headers.get(name.toLowerCase()),
    has: (name) => headers.get(name.toLowerCase()) !== null,
  };
  return read as Headers;
}
