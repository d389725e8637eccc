import { expect } from "vitest";
import { publish } from "../../generator/service/publish.ts";
import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import { readDocument, type Site } from "../service/documents.ts";
import { MINUTE, openStage, timeAt, type Stage } from "../service/harness.ts";
import { makeDirectory } from "../store/directory.ts";

/** On mainnet more than are shown by default, and more than a day of them. */
export const EPOCHS: Record<Network, number> = { mainnet: 14, testnet: 3, alpenglow: 3 };

/** More than a page of validators on mainnet; the others are as small as a story can be. */
const VALIDATORS: Record<Network, number> = { mainnet: 60, testnet: 12, alpenglow: 12 };

/** Three clusters that were watched for a while, in one public store. */
export interface PlayedNetworks {
  stages: Record<Network, Stage>;
  site: (network: Network) => Site;
  /** What the query-driven routes answer from. */
  index: (network: Network) => DocumentOf<"index">;
  close: () => Promise<void>;
}

/** Plays every network into one public store. Few ticks an epoch: what is shown matters here, not when it was seen. */
export async function playNetworks(): Promise<PlayedNetworks> {
  const { directory, remove } = await makeDirectory();
  const cadence = { checkMilliseconds: 30 * MINUTE, snapshotMilliseconds: 30 * MINUTE };
  const stages = await Promise.all(
    NETWORKS.map(async (network) => {
      const stage = await openStage({ network, validators: VALIDATORS[network], directory });
      await stage.play({ until: timeAt(EPOCHS[network] - 0.2), cadence, publishes: false });
      expect((await publish(stage.command)).skipped).toBeNull();
      // It is the same time on every network.
      await stage.clock.sleepUntil(timeAt(EPOCHS.mainnet - 0.1));
      return [network, stage] as const;
    }),
  );
  const byNetwork = Object.fromEntries(stages) as Record<Network, Stage>;
  const indexes = stages.map(async ([network, stage]) => [network, await readDocument(stage, "index", {})] as const);
  const byName = Object.fromEntries(await Promise.all(indexes)) as Record<Network, DocumentOf<"index">>;
  return {
    stages: byNetwork,
    site: (network) => ({ publicStore: byNetwork[network].publicStore, network }),
    index: (network) => byName[network],
    async close() {
      await Promise.all(stages.map(([, stage]) => stage.close()));
      await remove();
    },
  };
}
