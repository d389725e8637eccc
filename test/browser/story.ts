import type { Network } from "../../generator/contract/networks.ts";
import { snapshot } from "../../generator/service/observing.ts";
import { MINUTE, openRecordedStage, openStage, STARTS_AT, type Stage } from "../service/harness.ts";

/** Some epochs must make days, for uptime. */
const EPOCH_MILLISECONDS = 6 * 60 * MINUTE;
/** Fewer observations than in reality, to save time. */
const CADENCE = { checkMilliseconds: 30 * MINUTE, snapshotMilliseconds: 120 * MINUTE };

/** Alpenglow stays without data. */
const NETWORKS = [
  { network: "mainnet", validators: 70, epochs: 11.4 },
  { network: "testnet", validators: 15, epochs: 4.4 },
] as const satisfies readonly { network: Network; validators: number; epochs: number }[];

export interface Story {
  /** Epoch milliseconds; the end of mainnet's story. */
  now: number;
  rpcUrls: Partial<Record<Network, string[]>>;
  close: () => Promise<void>;
}

/** Runs the real commands against the simulator's HTTP. */
export async function simulateStory(directory: string): Promise<Story> {
  const stages: Stage[] = [];
  for (const { epochs, ...options } of NETWORKS) {
    const stage = await openStage({ ...options, directory, epochMilliseconds: EPOCH_MILLISECONDS });
    await stage.play({
      until: STARTS_AT + epochs * EPOCH_MILLISECONDS,
      cadence: CADENCE,
      publishes: false,
    });
    stages.push(stage);
  }
  return publishStory(stages);
}

/** What the demo recorded of mainnet: there at once, and enough for one walk through the site. */
export async function replayStory(directory: string): Promise<Story> {
  return publishStory([await openRecordedStage("mainnet", directory)]);
}

async function publishStory(stages: readonly Stage[]): Promise<Story> {
  for (const { command } of stages) await snapshot(command);
  return {
    now: Math.max(...stages.map(({ clock }) => clock.now())),
    rpcUrls: Object.fromEntries(
      stages.map(({ network, command }) => [network, command.settings.rpcUrls[network]]),
    ),
    async close() {
      await Promise.all(stages.map((stage) => stage.close()));
    },
  };
}
