import { mkdtemp, rm } from "node:fs/promises";
import { messageOf } from "../../generator/contract/error-message.ts";
import { tmpdir } from "node:os";
import { join, dirname } from "node:path";
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { startServer, type Server } from "../../proxy/server.ts";
import type { Settings as ProxySettings } from "../../proxy/settings.ts";
import type { Log } from "../../proxy/log.ts";
import type { Settings } from "../../generator/settings/settings.ts";
import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import type { Cluster } from "../../test/cluster/cluster.ts";
import { writeGeoDatabases } from "../../test/cluster/chain/geo-databases.ts";
import { startSimulator, type Simulator } from "../../test/cluster/simulator.ts";
import { openStore } from "../../generator/store/open.ts";
import type { Clock, Context } from "../../generator/service/context.ts";
import {
  clear,
  createClusters,
  EPOCH_MILLISECONDS,
  findJournalEnd,
  openStory,
  type StoryRequest,
  createStoryClock,
  type StoryClock,
} from "./story.ts";
import { publish } from "../../generator/service/publishing.ts";
import type { Report } from "../../generator/service/report.ts";
import { run } from "../../generator/service/run.ts";
import type { Cadence } from "../../generator/service/schedule.ts";

/** As fast as possible: a history to look at. */
const HISTORY_EPOCHS = 12;
/** Sparser than in real life, because somebody waits. */
const HISTORY_CADENCE: Cadence = {
  checkMilliseconds: 5 * 60_000,
  snapshotMilliseconds: 30 * 60_000,
};
/** The story needs half a day to catch up with the present. */
const HEAD_START_MILLISECONDS = 30 * 24 * 3_600_000;
const HOUR_MILLISECONDS = 3_600_000;

interface DemoOptions extends StoryRequest {
  settings: Settings;
  /** The simulator's endpoints replace its own. */
  proxySettings: ProxySettings;
  onProxyLog: Log;
  world: Clock;
  epochMinutes: number;
  /** Deletes the earlier story. */
  fresh: boolean;
  signal: AbortSignal;
  onProgress: (progress: { network: Network; done: number; total: number }) => void;
  onReady: (demo: { url: string; speed: number; stages: Stage[] }) => void;
  onReport: (report: Report, context: Context) => void;
  onError: (error: unknown) => void;
}

export async function demo(options: DemoOptions): Promise<void> {
  const stateStore = openStore(options.settings.stateStore);
  if (options.fresh)
    await Promise.all([clear(stateStore), clear(openStore(options.settings.publicStore))]);
  const { seed, validators, stakeAccounts } = options;
  const thisHour = Math.floor(options.world.now() / HOUR_MILLISECONDS) * HOUR_MILLISECONDS;
  const story = await openStory(
    stateStore,
    { seed, validators, stakeAccounts },
    thisHour - HEAD_START_MILLISECONDS,
  );
  const clusters = createClusters(story);
  const directory = await mkdtemp(join(tmpdir(), "rugwatch-demo-"));
  const stages: Stage[] = [];
  try {
    const geo = await writeGeoDatabases(directory);
    for (const network of NETWORKS) {
      const resumesAt = (await findJournalEnd(stateStore, network)) ?? story.startsAt;
      stages.push(
        await openStage(options, { network, cluster: clusters[network], resumesAt, geo }),
      );
    }
    const historyEnd = story.startsAt + HISTORY_EPOCHS * EPOCH_MILLISECONDS;
    await Promise.all(
      stages.map((stage) =>
        playHistory(options, stage, { from: story.startsAt, until: historyEnd }),
      ),
    );
    await playOn(options, stages);
  } catch (error) {
    if (!options.signal.aborted) throw error;
  } finally {
    await Promise.all(stages.map(({ simulator }) => simulator.close()));
    await rm(directory, { recursive: true });
  }
}

export interface Stage {
  network: Network;
  cluster: Cluster;
  clock: StoryClock;
  simulator: Simulator;
  settings: Settings;
}

async function openStage(
  options: DemoOptions,
  {
    network,
    cluster,
    resumesAt,
    geo,
  }: { network: Network; cluster: Cluster; resumesAt: number; geo: { city: string; asn: string } },
): Promise<Stage> {
  const clock = createStoryClock({ world: options.world, startsAt: resumesAt });
  const simulator = await startSimulator({ clusters: [cluster], now: clock.now });
  const settings: Settings = {
    ...options.settings,
    rpcUrls: { ...options.settings.rpcUrls, [network]: simulator.rpcUrls(network) },
    mevUrls: { ...options.settings.mevUrls, [network]: simulator.mevUrl(network) },
    geo: { cityFile: geo.city, asnFile: geo.asn },
  };
  return { network, cluster, clock, simulator, settings };
}

async function playHistory(
  options: DemoOptions,
  stage: Stage,
  span: { from: number; until: number },
): Promise<void> {
  const { network, clock } = stage;
  const { signal, onError } = options;
  const forMilliseconds = span.until - clock.now();
  const command = { settings: stage.settings, clock, network, newSeries: false, signal };
  if (forMilliseconds > 0) {
    clock.fastForward();
    const onReport = () =>
      options.onProgress({ network, done: clock.now() - span.from, total: span.until - span.from });
    await run({
      ...command,
      forMilliseconds,
      cadence: HISTORY_CADENCE,
      publishes: false,
      onReport,
      onError,
    });
  }
  if (!signal.aborted) await publish(command);
}

async function playOn(options: DemoOptions, stages: Stage[]): Promise<void> {
  const { signal } = options;
  if (signal.aborted) return;
  const present = Math.max(...stages.map(({ clock }) => clock.now()));
  const speed = EPOCH_MILLISECONDS / (options.epochMinutes * 60_000);
  for (const { clock } of stages) clock.play(speed, present);
  const server = await startProxy(options, stages);
  try {
    options.onReady({ url: server.url, speed, stages });
    await Promise.all(
      stages.map(({ network, clock, settings: of }) =>
        run({ ...options, settings: of, clock, network, newSeries: false, forMilliseconds: null }),
      ),
    );
  } finally {
    await server.close();
  }
}

function startProxy(
  { settings, world, proxySettings, onProxyLog: log }: DemoOptions,
  stages: Stage[],
): Promise<Server> {
  const rpcUrls = Object.fromEntries(
    stages.map(({ network, simulator }) => [network, simulator.rpcUrls(network)]),
  );
  const inner = { ...proxySettings, rpcUrls: rpcUrls as Record<Network, string[]> };
  const clock = stages[0]?.clock ?? world;
  const objects = openStore(settings.publicStore);
  return startServer({ settings: inner, objects, now: clock.now, log });
}

const PUBLIC = join(import.meta.dirname, "../../public");
/** As in public/vite.config.ts. */
const BUILT = join(PUBLIC, "dist");

/**
 * In a process of its own, which frees the tool's memory. An
 * old build may not fit the API. null: it cannot be built.
 */
export async function buildSite({
  signal,
  say,
  directory = BUILT,
}: {
  signal: AbortSignal;
  say: (line: string) => void;
  directory?: string;
}): Promise<string | null> {
  const vite = findVite();
  if (vite === null) {
    say(
      "The demo runs without the site, because Vite is not installed. Run npm ci without " +
        "--omit=dev to get it.",
    );
    return null;
  }
  say("Building the site.");
  try {
    await promisify(execFile)(
      process.execPath,
      [vite, "build", PUBLIC, "--outDir", directory, "--emptyOutDir"],
      { signal },
    );
    return directory;
  } catch (error) {
    if (signal.aborted) throw error;
    say(`The demo runs without the site, because the build failed: ${messageOf(error)}`);
    return null;
  }
}

function findVite(): string | null {
  try {
    return join(
      dirname(createRequire(import.meta.url).resolve("vite/package.json")),
      "bin/vite.js",
    );
  } catch {
    return null;
  }
}
