import { createCluster } from "../../cluster/cluster.ts";
import { EPOCH_MILLISECONDS, type ClusterOptions } from "../../cluster/options.ts";
import { startSimulator, type Simulator } from "../../cluster/simulator.ts";

/**
 * A small mainnet on the real clock for separate
 * processes; by default in the middle of its third epoch.
 */
export function startSmallSimulator({
  epochs = 2.4,
  isDated = false,
  ...changes
}: Changes = {}): Promise<Simulator> {
  const startsAt = Math.floor(Date.now() - epochs * EPOCH_MILLISECONDS);
  const cluster = createCluster({ validators: 12, startsAt, ...changes });
  return startSimulator({ clusters: [cluster], now: Date.now, isDated });
}

type Changes = Partial<ClusterOptions> & { epochs?: number; isDated?: boolean };
