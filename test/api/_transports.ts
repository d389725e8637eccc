import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import { readLiveEpoch } from "../../generator/rpc/epoch.ts";
import { createRpc } from "../../generator/rpc/rpc.ts";
import { createApp, type Dependencies } from "../../proxy/app.ts";
import { createMemoryLimiter } from "../../proxy/limits/memory-limiter.ts";
import { readSettings } from "../../proxy/config.ts";
import { startServer } from "../../proxy/server.ts";
import type { PlayedNetworks } from "./_networks.ts";

/** So many that no test meets the limit. */
export const PER_MINUTE = 1_000_000;

/** Sends a request to a path of the API. */
export type Ask = (path: string, init?: RequestInit) => Promise<Response>;

type Open = (played: PlayedNetworks, log: Dependencies["log"]) => Promise<{ request: Ask; close: () => Promise<void> }>;

/** The ways a request can take. */
export const TRANSPORTS: Record<"in process" | "over a socket", Open> = {
  "in process"({ stages }, log) {
    const now = stages.mainnet.clock.now;
    const clients = NETWORKS.map(
      (network) => [network, createRpc({ endpoints: stages[network].command.settings.rpcUrls[network], now })] as const,
    );
    const rpcs = new Map(clients);
    const app = createApp({
      objects: stages.mainnet.publicStore,
      readEpoch: (network) => readLiveEpoch({ rpc: rpcs.get(network)!, deadline: now() + 4_000 }),
      limiter: createMemoryLimiter({ perMinute: PER_MINUTE, now }),
      trustedProxies: { by: "nothing" },
      now,
      log,
    });
    return Promise.resolve({
      request: async (path, init) => app.fetch(withPeer(new Request(`http://localhost${path}`, init))),
      close: async () => {
        await Promise.all(clients.map(([, rpc]) => rpc.close()));
      },
    });
  },

  async "over a socket"({ stages }, log) {
    const rpcUrls = Object.fromEntries(NETWORKS.map((each) => [each, stages[each].command.settings.rpcUrls[each]]));
    const server = await startServer({
      settings: {
        ...readSettings({ PORT: "0" }),
        rateLimitPerMinute: PER_MINUTE,
        publicStore: stages.mainnet.command.settings.publicStore,
        rpcUrls: rpcUrls as Record<Network, string[]>,
      },
      objects: stages.mainnet.publicStore,
      now: stages.mainnet.clock.now,
      log,
    });
    return { request: (path, init) => fetch(`${server.url}${path}`, init), close: () => server.close() };
  },
};

/** A request made in process has no connection: this is where the peer's address is found on one that has. */
function withPeer(request: Request): Request {
  return Object.defineProperty(request, "ip", { value: "127.0.0.1" });
}
