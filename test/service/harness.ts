import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { Context } from "../../generator/service/context.ts";
import type { Report } from "../../generator/service/report.ts";
import { run } from "../../generator/service/run.ts";
import type { Cadence } from "../../generator/service/schedule.ts";
import type { CommandOptions } from "../../generator/service/for-each-network.ts";
import type { Network } from "../../generator/contract/networks.ts";
import { makeSettings, storesIn } from "./settings.ts";
import { createCluster, type Cluster } from "../cluster/cluster.ts";
import { createSteppedClock, type SteppedClock } from "../cluster/stepped-clock.ts";
import { EPOCH_MILLISECONDS, type ClusterOptions } from "../cluster/options.ts";
import { writeGeoDatabases } from "../cluster/chain/geo-databases.ts";
import { startSimulator } from "../cluster/simulator.ts";
import { openStore } from "../../generator/store/open.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import { fromRecording, readRecording } from "../../infra/demo/recording.ts";
import { replay } from "../../infra/demo/replay.ts";
import { createDemoCluster, RECORDED_MILLISECONDS } from "../../infra/demo/script.ts";
import { makeDirectory } from "../store/directory.ts";

export const STARTS_AT = Date.UTC(2026, 10, 20);
export const MINUTE = 60_000;

/** The cluster's, where it differs from others. */
export interface StageOptions extends Partial<ClusterOptions> {
  directory?: string;
}

export interface PlayOptions {
  /** In milliseconds since 1970; earlier ticks are played. */
  until: number;
  cadence?: Cadence;
  publishes?: boolean;
  /** Receives each finished observation, at its own time. */
  onReport?: (report: Report, context: Context) => void;
}

/** Real HTTP, temporary file stores, and a clock that steps from tick to tick. */
export interface Stage {
  network: Network;
  cluster: Cluster;
  clock: SteppedClock;
  command: CommandOptions;
  publicStore: ObjectStore;
  stateStore: ObjectStore;
  /** `generate run` by a new process from where the story stands; a failing tick fails the test. */
  play(options: PlayOptions): Promise<Report[]>;
  close(): Promise<void>;
}

/** Milliseconds since 1970 of a position in epochs since the start. */
export function timeAt(position: number): number {
  return STARTS_AT + Math.round(position * EPOCH_MILLISECONDS);
}

export function openStage({ directory, ...changes }: StageOptions = {}): Promise<Stage> {
  return openStageOf(createCluster({ startsAt: STARTS_AT, ...changes }), directory);
}

/** The demo's cluster, of which all has been observed that is recorded, and nothing published. */
export async function openRecordedStage(network: Network, directory: string): Promise<Stage> {
  const stage = await openStageOf(createDemoCluster(network, STARTS_AT), directory);
  const entries = await fromRecording(await readRecording(network), {
    startsAt: STARTS_AT,
    rpcUrls: stage.command.settings.rpcUrls[network],
  });
  await replay(stage.stateStore, stage.cluster, { entries });
  // The last recorded observation is of the end itself.
  await stage.clock.sleepUntil(STARTS_AT + RECORDED_MILLISECONDS + MINUTE);
  return stage;
}

async function openStageOf(cluster: Cluster, given: string | undefined): Promise<Stage> {
  const { network } = cluster.options;
  const clock = createSteppedClock(STARTS_AT);
  const simulator = await startSimulator({
    clusters: [cluster],
    now() {
      // A second reading is later, but by far less than a slot.
      clock.pass(1);
      return clock.now();
    },
  });
  const { directory, remove } =
    given === undefined ? await makeDirectory() : { directory: given, remove: noop };
  const geo = await writeGeoDatabases(join(directory, "geo", network));
  const settings = makeSettings({
    ...storesIn(directory),
    rpcUrls: { mainnet: [], testnet: [], alpenglow: [], [network]: simulator.rpcUrls(network) },
    mevUrls: {
      mainnet: null,
      testnet: null,
      alpenglow: null,
      [network]: simulator.mevUrl(network),
    },
    geo: { cityFile: geo.city, asnFile: geo.asn },
  });
  const command: CommandOptions = {
    settings,
    clock,
    network,
    newSeries: false,
    signal: new AbortController().signal,
  };

  let leftAt = STARTS_AT;

  return {
    network,
    cluster,
    clock,
    command,
    publicStore: openStore(settings.publicStore),
    stateStore: openStore(settings.stateStore),
    async play(options) {
      await clock.sleepUntil(leftAt);
      leftAt = options.until;
      return play(command, options);
    },
    async close() {
      await simulator.close();
      await remove();
    },
  };
}

/** Closed when the test is over. */
export async function openOwnStage(options?: StageOptions): Promise<Stage> {
  const stage = await openStage(options);
  onTestFinished(() => stage.close());
  return stage;
}

async function noop(): Promise<void> {}

async function play(
  command: CommandOptions,
  { until, onReport, ...options }: PlayOptions,
): Promise<Report[]> {
  const reports: Report[] = [];
  const errors: unknown[] = [];
  await run({
    ...command,
    ...options,
    forMilliseconds: until - command.clock.now(),
    onReport: (report, context) => {
      reports.push(structuredClone(report));
      onReport?.(report, context);
    },
    onError: (error) => void errors.push(error),
  });
  expect(errors).toEqual([]);
  return reports;
}
