import { createCluster } from "../../../infra/demo/cluster/cluster.ts";
import type { ClusterOptions } from "../../../infra/demo/cluster/options.ts";
import { startSimulator } from "../../../infra/demo/cluster/simulator.ts";

/** The first line of the process. */
export interface ClusterAddresses {
  rpcUrls: string[];
  mevUrl: string;
}

// A process with a simulated cluster in real time. Takes its options as JSON in the first argument and ends with its
// standard input.

const options = JSON.parse(process.argv[2] ?? "") as ClusterOptions;
const simulator = await startSimulator({ clusters: [createCluster(options)], now: () => Date.now() });
const addresses: ClusterAddresses = {
  rpcUrls: simulator.rpcUrls(options.network),
  mevUrl: simulator.mevUrl(options.network) ?? "none",
};
process.stdout.write(`${JSON.stringify(addresses)}\n`);
process.stdin.resume().once("end", () => process.exit());
