import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Network } from "../../generator/contract/networks.ts";
import type { Cluster } from "./cluster.ts";
import { TIP_PROGRAMS } from "./chain/distribution-accounts.ts";
import { viewOf } from "./rpc/endpoints.ts";
import { ENDPOINTS, type EndpointName } from "./options.ts";
import { answerMevValidators, type MevAnswer, answerValidatorHistory } from "./rpc/mev-api.ts";
import { answerRpc } from "./rpc/rpc.ts";

interface SimulatorOptions {
  /** One per network. */
  clusters: readonly Cluster[];
  /** Story time in epoch milliseconds. */
  now: () => number;
  /** Answers carry `now` as Date. Observers time the answers of a fast story: false. */
  isDated?: boolean;
}

/** One server per endpoint, on 127.0.0.1: each is a witness of its own. */
export interface Simulator {
  /** The first server's. */
  url: string;
  /** Sometimes lying, honest, sometimes lagging. */
  rpcUrls(network: Network): string[];
  /** Without `/api/v1`. */
  mevUrl(network: Network): string | null;
  close(): Promise<void>;
}

/** 100 keys, with room to spare. */
const BODY_BYTES_MAX = 64 * 1024;

interface Answer {
  status: number;
  pieces: readonly Buffer[];
}

export async function startSimulator({
  clusters,
  now,
  isDated = false,
}: SimulatorOptions): Promise<Simulator> {
  const routes = new Map(clusters.flatMap((cluster) => routesOf(cluster, now)));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const handle = routes.get(new URL(request.url ?? "/", "http://localhost").pathname);
    const answer =
      body === null
        ? toText(413, "Request body too large")
        : (handle?.(request.method ?? "", body) ?? toText(404, "Not found"));
    const length = answer.pieces.reduce((sum, piece) => sum + piece.length, 0);
    // It would be the world's, not the story's.
    response.sendDate = false;
    if (isDated) response.setHeader("date", new Date(now()).toUTCString());
    response.writeHead(answer.status, {
      "content-type": "application/json; charset=utf-8",
      "content-length": length,
    });
    await pipeline(Readable.from(answer.pieces), response);
  }

  const servers = await Promise.all(
    ENDPOINTS.map(() =>
      listen((request, response) => {
        serve(request, response).catch((error: unknown) => fail(response, error));
      }),
    ),
  );
  const urls = servers.map(urlOf);
  const [url = ""] = urls;

  return {
    url,
    rpcUrls: (network) =>
      ENDPOINTS.map(
        (endpoint, position) => `${urls[position] ?? url}${toRpcPath(network, endpoint)}`,
      ),
    mevUrl: (network) => (TIP_PROGRAMS[network] === null ? null : `${url}/${network}/mev`),
    async close() {
      await Promise.all(servers.map(closeServer));
    },
  };
}

async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> {
  const server = createServer(answer);
  await new Promise<void>((resolve, reject) =>
    server.once("error", reject).listen(0, "127.0.0.1", resolve),
  );
  return server;
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

type Handler = (method: string, body: string) => Answer;

function routesOf(cluster: Cluster, now: () => number): [path: string, handler: Handler][] {
  const { network } = cluster.options;
  const rpc = ENDPOINTS.map((endpoint): [string, Handler] => [
    toRpcPath(network, endpoint),
    (method, body) => {
      if (method !== "POST")
        return toText(405, "Used HTTP Method is not allowed. POST or OPTIONS is required");
      return { status: 200, pieces: answerRpc(viewOf(cluster, endpoint, now()), body) };
    },
  ]);
  if (TIP_PROGRAMS[network] === null) return rpc;
  const mev: Handler = (method, body) => {
    if (method !== "GET" && method !== "POST") return toText(405, "Method not allowed");
    return toMevAnswer(
      answerMevValidators(cluster, cluster.at(now()).moment, method === "GET" ? null : body),
    );
  };
  const histories = cluster.members.map(({ vote: { address } }): [string, Handler] => [
    `/${network}/mev/api/v1/validator_history/${address}`,
    (method) => {
      if (method !== "GET") return toText(405, "Method not allowed");
      return toMevAnswer(answerValidatorHistory(cluster, cluster.at(now()).moment, address));
    },
  ]);
  return [...rpc, [`/${network}/mev/api/v1/validators`, mev], ...histories];
}

function toRpcPath(network: Network, endpoint: EndpointName): string {
  return `/${network}/${endpoint}`;
}

function toMevAnswer({ status, body }: MevAnswer): Answer {
  return { status, pieces: [Buffer.from(body)] };
}

function toText(status: number, error: string): Answer {
  return { status, pieces: [Buffer.from(JSON.stringify({ error }))] };
}

/** The caller hears of a bug here, unless it has left. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  response.writeHead(500, { "content-type": "application/json; charset=utf-8" });
  response.end(JSON.stringify({ error: `The simulator failed: ${String(error)}` }));
}

/** null: too large; drops the rest. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length <= BODY_BYTES_MAX) pieces.push(piece);
  }
  return length > BODY_BYTES_MAX ? null : Buffer.concat(pieces).toString();
}
