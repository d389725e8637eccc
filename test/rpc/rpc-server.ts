import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** What a server was asked. */
export interface Asked {
  path: string;
  headers: IncomingMessage["headers"];
  /** The JSON body; null for a request without one. */
  body: { method?: string; params?: unknown[]; epoch?: number } | null;
}

export interface TestServer {
  url: string;
  asked: Asked[];
  /** Connections: how many were ever opened, and which are open now. */
  connections: { opened: number; open: Set<Socket> };
  close(): Promise<void>;
}

/** A real HTTP server on a free port of the loopback whose answers the test writes by hand. */
export async function startServer(answer: (asked: Asked, response: ServerResponse) => void): Promise<TestServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const one: Asked = {
        path: request.url ?? "",
        headers: request.headers,
        body: text === "" ? null : (JSON.parse(text) as Asked["body"]),
      };
      asked.push(one);
      // Nearly every test tells a time of its own: a server says what time it has only where the test gives it one.
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

/** Among the methods: what time the node has, in milliseconds since 1970, for the Date header of its answers. */
export const CLOCK = Symbol("clock");

/** Answers of a node by method: a result, or a function that makes it (or throws an {@link RpcFailure}). */
export type Methods = Record<string, unknown> & { [CLOCK]?: () => number };

/** What a method answers as a JSON-RPC error. */
export class RpcFailure extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** A node that speaks JSON-RPC; the methods may be changed while it runs. */
export async function startNode(methods: Methods): Promise<TestServer> {
  return startOrigin([methods]);
}

/** Several nodes behind one origin, each below its position: `URL/0`, `URL/1`. */
export async function startOrigin(nodes: [Methods, ...Methods[]]): Promise<TestServer> {
  return startServer(({ path, body }, response) => {
    const methods = nodes[Number(path.slice(1))] ?? nodes[0];
    response.setHeader("content-type", "application/json");
    const time = methods[CLOCK]?.();
    if (time !== undefined) response.setHeader("date", new Date(time).toUTCString());
    response.end(toAnswer(methods, body?.method ?? "", body?.params ?? []));
  });
}

/** JSON with bigints as plain numbers, as nodes write u64. */
export function toExactJson(value: unknown): string {
  const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => object };
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "bigint" ? rawJSON(String(member)) : member,
  );
}

function toAnswer(methods: Methods, method: string, params: unknown[]): string {
  try {
    if (!(method in methods)) throw new RpcFailure(-32_601, "Method not found");
    const answer = methods[method];
    const result: unknown = typeof answer === "function" ? (answer as (params: unknown[]) => unknown)(params) : answer;
    return toExactJson({ jsonrpc: "2.0", result, id: 1 });
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    return toExactJson({ jsonrpc: "2.0", error: { code: error.code, message: error.message }, id: 1 });
  }
}
