import type { Network } from "../../generator/contract/networks.ts";
import { snapshot } from "../../generator/service/observing.ts";
import { MINUTE, openStage, STARTS_AT, type Stage } from "../service/harness.ts";

/** Long enough that some epochs make days, which uptime is told by. */
const EPOCH_MILLISECONDS = 6 * 60 * MINUTE;
/** Fewer observations than in life: who looks at the pages waits for them. */
const CADENCE = { checkMilliseconds: 30 * MINUTE, snapshotMilliseconds: 120 * MINUTE };

/** What is watched. Nothing of alpenglow is ever published: the network without data. */
const NETWORKS = [
  // More validators than fit on a page of the list.
  { network: "mainnet", validators: 70, epochs: 11.4 },
  { network: "testnet", validators: 15, epochs: 4.4 },
] as const satisfies readonly { network: Network; validators: number; epochs: number }[];

/** Clusters of the simulator, observed for some epochs and published, which stand still since. */
export interface Story {
  /** Epoch milliseconds; the end of mainnet's. */
  now: number;
  rpcUrls: Partial<Record<Network, string[]>>;
  close: () => Promise<void>;
}

/** Tells the story into the stores below a directory: by the real commands, over the real HTTP of the simulator. */
export async function tellStory(directory: string): Promise<Story> {
  const stages: Stage[] = [];
  for (const told of NETWORKS) stages.push(await tell(directory, told));
  return {
    now: Math.max(...stages.map(({ clock }) => clock.now())),
    rpcUrls: Object.fromEntries(stages.map(({ network, command }) => [network, command.settings.rpcUrls[network]])),
    async close() {
      await Promise.all(stages.map((stage) => stage.close()));
    },
  };
}

async function tell(
  directory: string,
  { network, validators, epochs }: { network: Network; validators: number; epochs: number },
): Promise<Stage> {
  const stage = await openStage({
    network,
    validators,
    directory,
    story: { epochMilliseconds: EPOCH_MILLISECONDS, slotsPerEpoch: EPOCH_MILLISECONDS / 200 },
  });
  await stage.play({ until: STARTS_AT + epochs * EPOCH_MILLISECONDS, cadence: CADENCE, publishes: false });
  await snapshot(stage.command);
  return stage;
}
