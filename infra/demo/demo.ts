import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import type { Entry } from "../../generator/entries/entry.ts";
import type { Clock, Context } from "../../generator/service/context.ts";
import type { Report } from "../../generator/service/report.ts";
import { run } from "../../generator/service/run.ts";
import type { Settings } from "../../generator/settings/settings.ts";
import { openStore } from "../../generator/store/open.ts";
import type { Log } from "../../proxy/log.ts";
import { startServer, type Server } from "../../proxy/server.ts";
import type { Settings as ProxySettings } from "../../proxy/settings.ts";
import { writeGeoDatabases } from "../../test/cluster/chain/geo-databases.ts";
import type { Cluster } from "../../test/cluster/cluster.ts";
import { startSimulator, type Simulator } from "../../test/cluster/simulator.ts";
import { fromRecording, readRecording } from "./recording.ts";
import { replay } from "./replay.ts";
import { ANSWERS, createDemoCluster, RECORDED_MILLISECONDS } from "./script.ts";

interface DemoOptions {
  /** Its stores must be empty. The simulated clusters' endpoints replace its own. */
  settings: Settings;
  proxySettings: ProxySettings;
  /** For files of the simulated world. */
  directory: string;
  /** The directory of the built site; null: the API alone. */
  site: Promise<string | null>;
  clock: Clock;
  signal: AbortSignal;
  onProxyLog: Log;
  onReplay: (network: Network, observations: number) => void;
  onReady: (demo: Ready) => void;
  onReport: (report: Report, context: Context) => void;
  onError: (error: unknown) => void;
}

/** What there is to see once mainnet is published. */
export interface Ready {
  url: string;
  hasSite: boolean;
  mainnet: Stage;
}

/** A network's simulated cluster, which goes on where its recording ends: now. */
interface Stage {
  network: Network;
  cluster: Cluster;
  simulator: Simulator;
}

/**
 * Replays what was observed of each network and goes on to observe it,
 * until stopped. Serves as soon as the first one, mainnet, is published.
 */
export async function demo(options: DemoOptions): Promise<void> {
  const { signal } = options;
  await assertEmpty(options.settings);
  const stages = await openStages(options.clock);
  const runs: Promise<unknown>[] = [];
  let server: Server | null = null;
  try {
    const settings = await toSettings(options, stages);
    for (const stage of stages) {
      const entries = await readObserved(settings, stage);
      options.onReplay(stage.network, entries.length);
      const answers = ANSWERS[stage.network];
      await replay(openStore(settings.stateStore), stage.cluster, { entries, answers });
      const { running, observed } = observe(options, settings, stage);
      runs.push(running);
      await Promise.race([observed, running]);
      if (signal.aborted) break;
      server ??= await serve(options, settings, stage);
    }
    await Promise.all(runs);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await Promise.allSettled(runs);
    await server?.close();
    await closeAll(stages);
  }
}

/** @throws {Error} The demo begins anew each time, and deletes nothing. */
async function assertEmpty({ stateStore, publicStore }: Settings): Promise<void> {
  for (const store of [openStore(stateStore), openStore(publicStore)])
    for await (const { key } of store.list(""))
      throw new Error(
        `${store.name} holds ${key}, but each demo begins anew. Name an empty store, or none.`,
      );
}

/** Their script starts so long ago that its recorded part ends now. */
function openStages({ now }: Clock): Promise<Stage[]> {
  const seconds = Math.floor((now() - RECORDED_MILLISECONDS) / 1000);
  return Promise.all(
    NETWORKS.map(async (network) => {
      const cluster = createDemoCluster(network, seconds * 1000);
      return { network, cluster, simulator: await startSimulator({ clusters: [cluster], now }) };
    }),
  );
}

async function toSettings(
  { settings, directory }: DemoOptions,
  stages: readonly Stage[],
): Promise<Settings> {
  const { city, asn } = await writeGeoDatabases(directory);
  const ofEach = <Value>(value: (stage: Stage) => Value) =>
    Object.fromEntries(stages.map((stage) => [stage.network, value(stage)])) as Record<
      Network,
      Value
    >;
  return {
    ...settings,
    rpcUrls: ofEach(({ network, simulator }) => simulator.rpcUrls(network)),
    mevUrls: ofEach(({ network, simulator }) => simulator.mevUrl(network)),
    geo: { cityFile: city, asnFile: asn },
  };
}

async function readObserved({ rpcUrls }: Settings, { network, cluster }: Stage): Promise<Entry[]> {
  const { startsAt } = cluster.options;
  return fromRecording(await readRecording(network), { startsAt, rpcUrls: rpcUrls[network] });
}

/** `observed`: the first snapshot, and everything before it, is published. */
function observe(
  options: DemoOptions,
  settings: Settings,
  { network }: Stage,
): { running: Promise<unknown>; observed: Promise<unknown> } {
  const { promise: observed, resolve } = Promise.withResolvers<undefined>();
  const running = run({
    ...options,
    settings,
    network,
    newSeries: false,
    forMilliseconds: null,
    onReport(report, context) {
      resolve(undefined);
      options.onReport(report, context);
    },
  });
  return { running, observed };
}

async function serve(
  { proxySettings, clock: { now }, onProxyLog, site, onReady }: DemoOptions,
  { publicStore, rpcUrls }: Settings,
  mainnet: Stage,
): Promise<Server> {
  const siteDirectory = await site;
  const server = await startServer({
    settings: { ...proxySettings, publicStore, rpcUrls, siteDirectory },
    objects: openStore(publicStore),
    now,
    log: onProxyLog,
  });
  onReady({ url: server.url, hasSite: siteDirectory !== null, mainnet });
  return server;
}

async function closeAll(stages: readonly Stage[]): Promise<void> {
  await Promise.all(stages.map(({ simulator }) => simulator.close()));
}
