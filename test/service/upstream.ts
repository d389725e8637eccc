import type { ServerResponse } from "node:http";
import { parseExactJson } from "../../generator/rpc/answer.ts";
import { RpcFailure, toFailureReply } from "../cluster/rpc/failure.ts";
import { toJson } from "../cluster/rpc/json.ts";
import { startServer, type Asked as Request } from "../rpc/rpc-server.ts";

/** Two endpoints of one cluster, preferred first, and the MEV vendor's API. */
type Side = "first" | "second" | "mev";

export interface Asked {
  side: Side;
  method: string;
  params: unknown[];
}

/** Replaces an answer by raw HTTP, a JSON-RPC error or another result. undefined: nothing. */
export type Fault = (asked: Asked) => HttpFault | RpcFailure | Change | undefined;
export type Change = (result: never) => unknown;
export interface HttpFault {
  status: number;
  headers?: Record<string, string>;
  body: string;
  cutAfter?: number;
}

export interface Upstream {
  rpcUrls: string[];
  mevUrl: string;
  asked: Asked[];
  setFault(fault: Fault | undefined): void;
  close(): Promise<void>;
}

/** @param honest endpoint and vendor of the simulator */
export async function startUpstream(honest: { rpcUrl: string; mevUrl: string }): Promise<Upstream> {
  const asked: Asked[] = [];
  let fault: Fault | undefined;

  async function serve(request: Request, response: ServerResponse): Promise<void> {
    const question = toAsked(request);
    asked.push(question);
    const wrong = fault?.(question);
    if (typeof wrong === "object") {
      send(
        response,
        wrong instanceof RpcFailure ? { status: 200, body: toFailureReply(1, wrong) } : wrong,
      );
      return;
    }
    const target = question.side === "mev" ? `${honest.mevUrl}/api/v1/validators` : honest.rpcUrl;
    const init =
      request.body === null ? {} : { method: "POST", body: JSON.stringify(request.body) };
    const answer = await fetch(target, init);
    const text = await answer.text();
    send(response, {
      status: answer.status,
      body: wrong === undefined ? text : changeResult(text, question, wrong),
    });
  }

  const server = await startServer((request, response) => {
    serve(request, response).catch((error: unknown) =>
      send(response, { status: 500, body: String(error) }),
    );
  });
  return {
    rpcUrls: [`${server.url}/first`, `${server.url}/second`],
    mevUrl: `${server.url}/mev`,
    asked,
    setFault: (next) => void (fault = next),
    close: () => server.close(),
  };
}

function toAsked({ path, body }: Request): Asked {
  const side = path.split("/")[1] as Side;
  if (side === "mev") return { side, method: body === null ? "GET" : "POST", params: [] };
  return { side, ...(body as { method: string; params: unknown[] }) };
}

function changeResult(text: string, { side }: Asked, change: Change): string {
  const answer = parseExactJson(text) as { result: never };
  return toJson(
    side === "mev" ? change(answer as never) : { ...answer, result: change(answer.result) },
  );
}

function send(response: ServerResponse, { status, headers, body, cutAfter }: HttpFault): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": bytes.length,
    ...headers,
  });
  if (cutAfter === undefined) return void response.end(bytes);
  response.write(bytes.subarray(0, cutAfter), () => response.destroy());
}
