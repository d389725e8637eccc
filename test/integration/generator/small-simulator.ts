import { createCluster } from "../../cluster/cluster.ts";
import type { ClusterOptions } from "../../cluster/options.ts";
import { startSimulator, type Simulator } from "../../cluster/simulator.ts";

const EPOCH_MILLISECONDS = 7_200_000;

/**
 * A small mainnet on the real clock for separate
 * processes; by default in the middle of its third epoch.
 */
export function startSmallSimulator({
  epochs = 2.4,
  isDated = false,
  ...changes
}: Changes = {}): Promise<Simulator> {
  const cluster = createCluster({
    network: "mainnet",
    seed: 11,
    validators: 12,
    stakeAccounts: 72,
    firstEpoch: 1060,
    epochMilliseconds: EPOCH_MILLISECONDS,
    slotsPerEpoch: EPOCH_MILLISECONDS / 200,
    startsAt: Math.floor(Date.now() - epochs * EPOCH_MILLISECONDS),
    ...changes,
  });
  return startSimulator({ clusters: [cluster], now: Date.now, isDated });
}

type Changes = Partial<ClusterOptions> & { epochs?: number; isDated?: boolean };
