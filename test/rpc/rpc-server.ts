import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { RpcFailure, toFailureReply } from "../cluster/rpc/failure.ts";
import { toReply } from "../cluster/rpc/json.ts";

export interface Asked {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: { method?: string; params?: unknown[]; epoch?: number } | null;
}

export interface TestServer {
  url: string;
  asked: Asked[];
  /** How many were ever opened, and which are open. */
  connections: { opened: number; open: Set<Socket> };
  close: () => Promise<void>;
}

/** A real HTTP server on a free loopback port; the test writes its answers. */
export async function startServer(
  answer: (asked: Asked, response: ServerResponse) => void,
): Promise<TestServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const one: Asked = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body: text === "" ? null : (JSON.parse(text) as Asked["body"]),
      };
      asked.push(one);
      // No Date header unless the test gives a time: most tests set a time of their own.
      response.sendDate = false;
      answer(one, response);
    });
  });
  const connections: TestServer["connections"] = { opened: 0, open: new Set() };
  server.on("connection", (socket) => {
    connections.opened++;
    connections.open.add(socket);
    socket.once("close", () => connections.open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Among the methods: the node's time for the Date header, milliseconds since 1970. */
export const CLOCK = Symbol("clock");

/** Among the methods: sees each request first; true: it has answered. */
export const INSTEAD = Symbol("instead");

/** By method: a result, or a function that makes one or throws {@link RpcFailure}. */
export type Methods = Record<string, unknown> & {
  [CLOCK]?: () => number;
  [INSTEAD]?: (response: ServerResponse, asked: Asked) => boolean;
};

/** A JSON-RPC node; its methods may change while it runs. */
export async function startNode(methods: Methods): Promise<TestServer> {
  return startOrigin([methods]);
}

/** Several nodes at one origin: `URL/0`, `URL/1`. */
export async function startOrigin(nodes: [Methods, ...Methods[]]): Promise<TestServer> {
  return startServer((asked, response) => {
    const { path, body } = asked;
    const methods = nodes[Number(path.slice(1))] ?? nodes[0];
    if (methods[INSTEAD]?.(response, asked) === true) return;
    response.setHeader("content-type", "application/json");
    const time = methods[CLOCK]?.();
    if (time !== undefined) response.setHeader("date", new Date(time).toUTCString());
    response.end(toAnswer(methods, body?.method ?? "", body?.params ?? []));
  });
}

function toAnswer(methods: Methods, method: string, params: unknown[]): string {
  try {
    if (!(method in methods)) throw new RpcFailure("methodNotFound", "Method not found");
    return toReply(1, resultOf(methods, method, params));
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    return toFailureReply(1, error);
  }
}

export function resultOf(methods: Methods, method: string, params: unknown[]): unknown {
  const answer = methods[method];
  return typeof answer === "function" ? (answer as (params: unknown[]) => unknown)(params) : answer;
}
