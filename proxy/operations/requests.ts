import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { CountedRequest } from "./request-counts.ts";
import { toRouteName } from "./route-names.ts";

/** One request that has been dealt with, as it went over its connection. */
export interface ObservedRequest extends CountedRequest {
  /** Sent on the connection since the request began, headers included. With pipelining those of its neighbours too. */
  sentBytes: number;
}

interface ObserveOptions {
  /** Milliseconds that only go up, with fractions. */
  steadyNow: () => number;
  /** null: nobody wants to know. */
  onAnswered: ((request: ObservedRequest) => void) | null;
}

/** A hand on the requests of a server. */
export interface RequestObserver {
  /**
   * From now on answers tell that their connection ends with them (RFC 9112, 9.6), those under way too unless their headers
   * have left. Once the server has stopped listening, a connection is closed as soon as nothing is under way on it.
   */
  endConnections(): void;
  /** Whether answers tell that their connection ends with them. */
  isEnding(): boolean;
  /**
   * A request has come that Node's server does not know of. What is given wants to be told the status of its answer when the
   * kernel has all of it, or 0; undefined: nobody wants to know.
   */
  observe(method: string, target: string, socket: Socket): ((status: number) => void) | undefined;
}

/**
 * Watches requests where they arrive and leave, so that whatever answers them is counted: a route, the limiter, an error,
 * the parser of a body. The time of a request is what it takes until the kernel has the last byte of its answer.
 */
export function observeRequests(server: Server, { steadyNow, onAnswered }: ObserveOptions): RequestObserver {
  const open = new Set<ServerResponse>();
  /** Connections, with what is to be done for each request under way when they close. */
  const connections = new Map<Socket, Set<() => void>>();
  let isEnding = false;

  function observe(method: string, target: string, socket: Socket) {
    if (onAnswered === null) return undefined;
    const startedAt = steadyNow();
    const sentBefore = socket.bytesWritten;
    return (status: number) => {
      const seconds = (steadyNow() - startedAt) / 1000;
      const sentBytes = socket.bytesWritten - sentBefore;
      onAnswered({ route: toRouteName(target), method, status, seconds, sentBytes });
    };
  }

  function onRequest({ method = "", url = "", socket }: IncomingMessage, response: ServerResponse): void {
    const onDone = observe(method, url, socket);
    const onConnectionClosed = connections.get(socket);
    open.add(response);
    onConnectionClosed?.add(end);
    if (isEnding) endConnection(response);
    response.once("close", end);

    function end(): void {
      if (!open.delete(response)) return;
      onConnectionClosed?.delete(end);
      // Before it stopped listening a request may be on its way over an idle connection.
      if (isEnding && !server.listening) server.closeIdleConnections();
      onDone?.(response.writableFinished ? response.statusCode : 0);
    }
  }

  // Before the handler's own listener: the time begins here, and an answer may be sent in the same turn.
  server.prependListener("request", onRequest);
  server.on("connection", (socket) => {
    const onClosed = new Set<() => void>();
    connections.set(socket, onClosed);
    socket.once("close", () => {
      connections.delete(socket);
      // Node closes no answer that waits for others behind a CONNECT: it has let go of the connection.
      for (const end of onClosed) end();
    });
  });
  return {
    endConnections() {
      isEnding = true;
      for (const response of open) endConnection(response);
    },
    isEnding: () => isEnding,
    observe,
  };
}

function endConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("connection", "close");
}
