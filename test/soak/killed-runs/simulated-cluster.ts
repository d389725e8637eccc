import { createCluster } from "../../../infra/demo/cluster/cluster.ts";
import type { ClusterOptions } from "../../../infra/demo/cluster/options.ts";
import { startSimulator } from "../../../infra/demo/cluster/simulator.ts";

/** What the process tells on its first line. */
export interface ClusterAddresses {
  rpcUrls: string[];
  mevUrl: string;
}

// A process of its own: a simulated cluster whose story is told by the clock of the world. Its options are the first
// argument, as JSON. It ends when whoever started it lets go of its standard input.

const options = JSON.parse(process.argv[2] ?? "") as ClusterOptions;
const simulator = await startSimulator({ clusters: [createCluster(options)], now: () => Date.now() });
const addresses: ClusterAddresses = {
  rpcUrls: simulator.rpcUrls(options.network),
  mevUrl: simulator.mevUrl(options.network) ?? "none",
};
process.stdout.write(`${JSON.stringify(addresses)}\n`);
process.stdin.resume().once("end", () => process.exit());
