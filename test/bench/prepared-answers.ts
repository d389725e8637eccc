import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createCluster } from "../cluster/cluster.ts";
import type { ClusterOptions } from "../cluster/options.ts";
import { startSimulator } from "../cluster/simulator.ts";

export interface PreparedAnswersOptions {
  cluster: ClusterOptions;
  at: number;
}

export interface Asked {
  requests: { method: string; path: string; body: string }[];
  unprepared: number;
}

// Makes each answer once and repeats its bytes. Ends when its parent closes standard input.

const { cluster: clusterOptions, at } = JSON.parse(process.argv[2] ?? "") as PreparedAnswersOptions;
const cluster = createCluster(clusterOptions);
cluster.prepare(at);
const simulator = await startSimulator({ clusters: [cluster], now: () => at });

const answers = new Map<
  string,
  { request: Asked["requests"][number]; status: number; bytes: Buffer }
>();
let unprepared = 0;

function serve(incoming: IncomingMessage, response: ServerResponse): void {
  answer(incoming).then(
    ({ status, bytes }) => {
      response.sendDate = false;
      response.writeHead(status, {
        "content-type": "application/json",
        "content-length": bytes.byteLength,
      });
      response.end(bytes);
    },
    (error: unknown) => response.destroy(error instanceof Error ? error : new Error(String(error))),
  );
}

async function openOrigin(): Promise<string> {
  const server = createServer(serve);
  // A client may parse one answer for seconds before the next request.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const { network } = clusterOptions;
const url = await openOrigin();
const rpcUrls = simulator
  .rpcUrls(network)
  .map(async (address) => (await openOrigin()) + new URL(address).pathname);
const addresses = {
  url,
  rpcUrls: await Promise.all(rpcUrls),
  mevUrl: (simulator.mevUrl(network) ?? "").replace(simulator.url, url),
};
process.stdout.write(`${JSON.stringify(addresses)}\n`);
process.stdin.resume().once("end", () => process.exit());

async function answer(incoming: IncomingMessage): Promise<{ status: number; bytes: Buffer }> {
  const { method = "GET", url: path = "/" } = incoming;
  const body = Buffer.concat(await Array.fromAsync(incoming as AsyncIterable<Buffer>)).toString();
  if (path === "/asked") return { status: 200, bytes: Buffer.from(JSON.stringify(tellAsked())) };
  const key = `${method} ${path} ${body}`;
  const held = answers.get(key);
  if (held !== undefined) return held;
  unprepared += 1;
  const made = await fetch(simulator.url + path, { method, ...(method === "POST" && { body }) });
  const bytes = Buffer.from(await made.arrayBuffer());
  answers.set(key, { request: { method, path, body }, status: made.status, bytes });
  return { status: made.status, bytes };
}

function tellAsked(): Asked {
  return { requests: [...answers.values()].map(({ request }) => request), unprepared };
}
