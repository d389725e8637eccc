import type { Server as HttpServer } from "node:http";
import { createServer } from "node:net";
import { serve } from "h3";
import { createApp } from "./app.ts";
import type { Settings } from "./config.ts";
import { CONNECTION_OPTIONS, guardConnections } from "./http/connections.ts";
import { joinFastLane } from "./fast-lane/fast-lane.ts";
import { createHttpDate } from "./fast-lane/http-date.ts";
import { shareReadBuffer } from "./fast-lane/shared-buffer.ts";
import { createGate } from "./http/gate.ts";
import { limitConnections } from "./http/connection-limits.ts";
import { createOpenTargets } from "./http/open-targets.ts";
import type { OnPlace } from "./memory.ts";
import { openLimiter } from "./limits/open-limiter.ts";
import { createClusters } from "./held/clusters.ts";
import type { Limiter } from "./limits/limiter.ts";
import { createAnsweredListener, toSnapshotEntry } from "./operations/events.ts";
import type { Log } from "./log/entry.ts";
import { toListenError } from "./operations/listen-error.ts";
import { loadMetrics } from "./operations/load-metrics.ts";
import type { Metrics } from "./operations/metrics.ts";
import { startMetricsServer, type MetricsServer } from "./operations/metrics-server.ts";
import { observeRequests } from "./operations/requests.ts";
import { shutDown } from "./operations/shutdown.ts";
import type { ObjectReader } from "./held/objects.ts";
import { readSiteFiles } from "./site/files.ts";
import { createSite } from "./site/site.ts";

interface ServerOptions {
  settings: Settings;
  objects: ObjectReader;
  now: () => number;
  log: Log;
  /** Counts requests while no VALKEY_URL does; by default this process alone. */
  limiter?: Limiter;
  /** Where to measure; by default what is served on METRICS_PORT, and nothing if that is unset. */
  metrics?: Metrics;
}

/** A proxy that listens. */
export interface Server {
  /** Where it is reached, without a slash behind it. */
  url: string;
  /** Where the metrics are; null: nowhere. */
  metricsUrl: string | null;
  /** Stops taking requests as `operations/shutdown.ts` says, and resolves when all is closed. May be called again. */
  close(): Promise<void>;
}

/** Whether the proxy could listen now, for one who has long work to do before. @throws {Error} naming the port that is taken */
export async function assertPortFree({ host, port }: Settings): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", (error) => reject(toServerError(error, { host, port })));
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

/** Milliseconds that only go up, with fractions: durations are real, also where `now` tells the time of a story. */
const steadyNow = () => performance.now();
/** Of the machine, as Node's own answers tell it, also where `now` tells the time of a story. */
const date = createHttpDate(() => new Date().getTime());

/** Puts the proxy together and listens. @throws {Error} naming the port that is taken */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { settings, objects, now, log } = options;
  const { siteDirectory } = settings;
  const site = siteDirectory === null ? null : createSite(await readSiteFiles(siteDirectory));
  const metrics = options.metrics ?? (await openMetrics(options));
  const clusters = createClusters({ rpcUrls: settings.rpcUrls, now });
  const limiter = await openLimiter({ settings, fallback: options.limiter, now: steadyNow, log });
  metrics?.observeLimiter(limiter);
  const { trustedProxies } = settings;
  const gate = createGate({ limiter, trustedProxies });
  const onPlace: OnPlace = (place) => metrics?.observePlace(place);
  let isStopping = false;
  const app = createApp({
    objects: metrics?.observeReads(objects) ?? objects,
    readEpoch: metrics?.observeEpochs(clusters.readEpoch) ?? clusters.readEpoch,
    limiter,
    trustedProxies,
    now,
    log,
    onSnapshot(index) {
      metrics?.holdSnapshot(index);
      log(toSnapshotEntry(index, now()));
    },
    onPlace,
    isStopping: () => isStopping,
    ...(site !== null && { site }),
  });
  const server = serve(app, {
    port: settings.port,
    hostname: settings.host,
    silent: true,
    gracefulShutdown: false,
    // Several processes share the port (operations/processes.ts); srvx would have each of them take it for itself.
    node: { ...CONNECTION_OPTIONS, exclusive: false },
  });
  const http = server.node?.server as HttpServer;
  const onAnswered = createAnsweredListener({ metrics, log: settings.logRequests ? log : null });
  const requests = observeRequests(http, { steadyNow, onAnswered });
  const openTargets = createOpenTargets();
  joinFastLane(http, { fetch: (request) => app.fetch(request), gate, requests, now, date, log, openTargets, onPlace });
  guardConnections(http, { gate, onRefused: (status) => metrics?.countRefusal(status), openTargets });
  limitConnections(http, { trustedProxies, onDropped: (reason) => metrics?.countDropped(reason) });
  shareReadBuffer(http);
  const closeOthers = () => Promise.all([limiter.close(), clusters.close(), metricsServer?.close()]);
  let metricsServer: MetricsServer | null = null;
  try {
    await server.ready();
    metricsServer = await startMetrics(metrics, options);
  } catch (error) {
    await Promise.all([server.close(true), closeOthers()]);
    throw toServerError(error, settings);
  }

  async function close(): Promise<void> {
    isStopping = true;
    await shutDown(http, { requests, drainMilliseconds: settings.drainSeconds * 1_000 });
    await closeOthers();
  }
  let closing: Promise<void> | undefined;
  return {
    url: (server.url ?? "").replace(/\/$/, ""),
    metricsUrl: metricsServer?.url ?? null,
    close: () => (closing ??= close()),
  };
}

/** Metrics of this process alone; null: nobody wants any. */
async function openMetrics({ settings, now }: ServerOptions): Promise<Metrics | null> {
  if (settings.metricsPort === null) return null;
  const { createMetrics } = await loadMetrics();
  return createMetrics({ now, steadyNow });
}

/** Metrics of this process alone, on a port of their own. */
async function startMetrics(metrics: Metrics | null, { settings, log }: ServerOptions): Promise<MetricsServer | null> {
  const { metricsPort: port, metricsHost: host } = settings;
  if (metrics === null || port === null) return null;
  const { registry } = metrics;
  const onError = (error: unknown) => log({ level: "error", message: "cannot read the metrics", error });
  return startMetricsServer({ port, host, read: () => registry.metrics(), contentType: registry.contentType, onError });
}

function toServerError(error: unknown, { port, host }: Pick<Settings, "port" | "host">): Error {
  return toListenError(error, { port, host, portVariable: "PORT", hostVariable: "HOST" });
}
