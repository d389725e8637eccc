import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import { readLiveEpoch } from "../../generator/rpc/epoch.ts";
import { createRpc } from "../../generator/rpc/rpc.ts";
import { LIVE_DEADLINE_MILLISECONDS, type ReadEpoch } from "./live-epoch.ts";

interface ClustersOptions {
  /** JSON-RPC endpoints, preferred first. */
  rpcUrls: Record<Network, string[]>;
  now: () => number;
}

/** The clusters, asked for their epoch. */
export interface Clusters {
  readEpoch: ReadEpoch;
  close(): Promise<void>;
}

/** One client for each network. Connects to nobody before it is asked. */
export function createClusters({ rpcUrls, now }: ClustersOptions): Clusters {
  const clients = new Map(NETWORKS.map((network) => [network, createRpc({ endpoints: rpcUrls[network], now })]));
  return {
    readEpoch: (network) => {
      const rpc = clients.get(network);
      if (rpc === undefined) throw new Error(`no such network: ${network}`);
      return readLiveEpoch({ rpc, deadline: now() + LIVE_DEADLINE_MILLISECONDS });
    },
    close: async () => {
      await Promise.all(clients.values().map((rpc) => rpc.close()));
    },
  };
}
