import { z } from "zod";
import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import { createCluster, type Cluster } from "../../test/cluster/cluster.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { readSeries } from "../../generator/journal/series.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import type { Clock } from "../../generator/service/context.ts";

export interface StoryRequest {
  seed: number;
  /** The other networks are smaller. */
  validators: number;
  stakeAccounts: number;
}

export interface Story extends StoryRequest {
  startsAt: number;
}

/** In story time. */
export const EPOCH_MILLISECONDS = 2 * 3_600_000;
/** 200 ms a slot, as on mainnet. */
const SLOTS_PER_EPOCH = EPOCH_MILLISECONDS / 200;
const FIRST_EPOCH = 1060;

const STORY_KEY = "demo/story.json";
const SHARES: Record<Network, number> = { mainnet: 1, testnet: 0.3, alpenglow: 0.2 };
const VALIDATORS_MIN = 12;
const FLAGS = {
  seed: "--seed",
  validators: "--validators",
  stakeAccounts: "--stake-accounts",
} satisfies Record<keyof StoryRequest, string>;

/** Raise when the same figures play another story: an older journal no longer fits. */
const PLOT = 3;

const storySchema = z.object({
  seed: z.int(),
  validators: z.int(),
  stakeAccounts: z.int(),
  startsAt: z.int(),
  plot: z.int().default(1),
});

/** @throws {Error} when the store holds another story: its journal would not fit */
export async function openStory(
  store: ObjectStore,
  request: StoryRequest,
  startsAt: number,
): Promise<Story> {
  const object = await store.get(STORY_KEY);
  if (object === null) {
    const story: Story = { ...request, startsAt };
    await store.put(STORY_KEY, new TextEncoder().encode(JSON.stringify({ ...story, plot: PLOT })), {
      expect: "any",
      contentType: "application/json",
    });
    return story;
  }
  const { plot, ...story } = storySchema.parse(JSON.parse(new TextDecoder().decode(object.body)));
  if (plot !== PLOT)
    throw new Error(
      `${store.name} holds a story of an older version. Run npm run demo -- --fresh to start a new one.`,
    );
  const differs = (Object.keys(FLAGS) as (keyof StoryRequest)[]).filter(
    (part) => story[part] !== request[part],
  );
  if (differs.length === 0) return story;
  const told = differs.map((part) => `${FLAGS[part]} ${story[part]}`).join(", ");
  throw new Error(
    `${store.name} holds a story with other options: ${told}. Use the same options, or add --fresh to start a new story.`,
  );
}

export async function clear(store: ObjectStore): Promise<void> {
  for await (const { key } of store.list("")) await store.delete(key);
}

export function createClusters(story: Story): Record<Network, Cluster> {
  const clusters = NETWORKS.map((network) => {
    const share = (count: number, least: number) =>
      Math.max(least, Math.round(count * SHARES[network]));
    const validators = share(story.validators, VALIDATORS_MIN);
    const cluster = createCluster({
      network,
      seed: story.seed,
      validators,
      stakeAccounts: share(story.stakeAccounts, validators * 6),
      startsAt: story.startsAt,
      firstEpoch: FIRST_EPOCH,
      epochMilliseconds: EPOCH_MILLISECONDS,
      slotsPerEpoch: SLOTS_PER_EPOCH,
      hiddenFlips: true,
      unevenRugs: true,
    });
    return [network, cluster] as const;
  });
  return Object.fromEntries(clusters) as Record<Network, Cluster>;
}

/** Story time of the last observation. */
export async function findJournalEnd(store: ObjectStore, network: Network): Promise<number | null> {
  const newest = (await readSeries(store, network)).at(-1);
  if (newest === undefined) return null;
  const journal = openJournal({ store, network, series: newest.series });
  const { names } = await journal.look(null);
  for await (const read of journal.read(names.slice(-1)))
    if ("entry" in read) return Date.parse(read.entry.time);
  return null;
}

export interface StoryClock extends Clock {
  /** From now on sleeping jumps to its end. */
  fastForward(): void;
  /** @param from not before now */
  play(speed: number, from: number): void;
}

/** Never overtakes the world: a story that catches up goes on at its pace. */
export function createStoryClock({
  world,
  startsAt,
}: {
  world: Clock;
  startsAt: number;
}): StoryClock {
  let speed = 1;
  let isJumping = false;
  let jumped = 0;
  let anchor = { story: startsAt, world: world.now() };

  const now = () => Math.min(anchor.story + (world.now() - anchor.world) * speed, world.now());
  const reset = (story: number) => (anchor = { story, world: world.now() });
  const jump = (time: number) => {
    const from = now();
    reset(time);
    jumped += now() - from;
  };

  return {
    now: () => Math.floor(now()),
    // At the world's pace, or a call's deadline would pass before its answer.
    // Jumped time has passed, or the first moments would use up every call budget.
    timer: () => world.timer() + jumped,
    async sleepUntil(time, signal) {
      signal?.throwIfAborted();
      if (isJumping) jump(Math.max(time, now()));
      while (now() < time)
        await world.sleepUntil(world.now() + Math.max(1, (time - now()) / speed), signal);
    },
    fastForward() {
      reset(now());
      speed = 1;
      isJumping = true;
    },
    play(times, from) {
      reset(Math.max(from, now()));
      speed = times;
      isJumping = false;
    },
  };
}
