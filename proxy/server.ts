import { createServer } from "node:net";
import { serve } from "h3";
import { NETWORKS, type Network } from "../generator/contract/networks.ts";
import { readLiveEpoch } from "../generator/observe/epoch.ts";
import { createRpc } from "../generator/observe/rpc.ts";
import { createApp } from "./app.ts";
import type { Settings } from "./config.ts";
import { createMemoryLimiter } from "./limits/limiter.ts";
import { LIVE_DEADLINE_MILLISECONDS } from "./held/live-epoch.ts";
import type { Log } from "./operations/log.ts";
import type { ObjectReader } from "./held/objects.ts";

/** Answers under way at a stop may take this long before their connections are cut. */
const CLOSE_MILLISECONDS = 5_000;

interface ServerOptions {
  settings: Settings;
  objects: ObjectReader;
  now: () => number;
  log: Log;
}

/** A proxy that listens. */
export interface Server {
  /** Where it is reached, without a slash behind it. */
  url: string;
  /** Takes no more requests, lets the answers under way go out, and resolves when all is closed. May be called again. */
  close(): Promise<void>;
}

/** Whether the proxy could listen now, for one who has long work to do before. @throws {Error} naming the port that is taken */
export async function assertPortFree({ host, port }: Settings): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", (error) => reject(toListenError(error, { host, port })));
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

/** Puts the proxy together and listens. @throws {Error} naming the port that is taken */
export async function startServer({ settings, objects, now, log }: ServerOptions): Promise<Server> {
  const clusters = createClusters(settings, now);
  const limiter = createMemoryLimiter({ perMinute: settings.rateLimitPerMinute });
  const { trustedProxies } = settings;
  const app = createApp({ objects, readEpoch: clusters.readEpoch, limiter, trustedProxies, now, log });
  const server = serve(app, { port: settings.port, hostname: settings.host, silent: true, gracefulShutdown: false });
  try {
    await server.ready();
  } catch (error) {
    await clusters.close();
    throw toListenError(error, settings);
  }
  async function closeAll(): Promise<void> {
    const timer = setTimeout(() => void server.close(true), CLOSE_MILLISECONDS);
    await server.close();
    clearTimeout(timer);
    await clusters.close();
  }

  let closing: Promise<void> | undefined;
  return { url: (server.url ?? "").replace(/\/$/, ""), close: () => (closing ??= closeAll()) };
}

function toListenError(error: unknown, { host, port }: Pick<Settings, "host" | "port">): Error {
  const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
  if (isTaken) return new Error(`Port ${port} of ${host} is taken: set PORT to another one.`, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}

function createClusters({ rpcUrls }: Settings, now: () => number) {
  const clients = new Map(NETWORKS.map((network) => [network, createRpc({ endpoints: rpcUrls[network], now })]));
  return {
    readEpoch: (network: Network) => {
      const rpc = clients.get(network);
      if (rpc === undefined) throw new Error(`no such network: ${network}`);
      return readLiveEpoch({ rpc, deadline: now() + LIVE_DEADLINE_MILLISECONDS });
    },
    close: async () => {
      await Promise.all(clients.values().map((rpc) => rpc.close()));
    },
  };
}
