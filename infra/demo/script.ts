import type { Network } from "../../generator/contract/networks.ts";
import { createCluster, type Cluster } from "../../test/cluster/cluster.ts";
import { EPOCH_MILLISECONDS } from "../../test/cluster/options.ts";
import type { Answer } from "./replay.ts";

/* What happens in the demo: recorded until `RECORDED_MILLISECONDS`, then live. */

/** A verdict needs ten epochs; ends far from a boundary, which would delay the first snapshot. */
export const RECORDED_MILLISECONDS = 12.5 * EPOCH_MILLISECONDS;

const VALIDATORS: Record<Network, number> = { mainnet: 120, testnet: 40, alpenglow: 24 };
const STAKE_ACCOUNTS_PER_VALIDATOR = 20;

/** What the operator answered to a validator that disputes an event, by the event's id. */
export const ANSWERS: Readonly<Record<Network, readonly Answer[]>> = {
  mainnet: [
    {
      event: "1ada6233d8d0ce335825f40b",
      reason:
        "The validator wrote that this was a test of its tools. Its own key signed the " +
        "transaction, and delegators paid, so the change stands.",
    },
  ],
  testnet: [],
  alpenglow: [],
};

/** Equal but for the times, whatever `startsAt` is. @param startsAt milliseconds since 1970 */
export function createDemoCluster(network: Network, startsAt: number): Cluster {
  const validators = VALIDATORS[network];
  return createCluster({
    network,
    seed: 1,
    validators,
    stakeAccounts: validators * STAKE_ACCOUNTS_PER_VALIDATOR,
    startsAt,
    hiddenFlips: true,
    unevenRugs: true,
    disputes: true,
    withoutRoutine: true,
  });
}
