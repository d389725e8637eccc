import type { Server as HttpServer } from "node:http";
import { createServer } from "node:net";
import type { SnapshotIndex } from "../generator/contract/snapshot-index.ts";
import { listen } from "../generator/operations/listen.ts";
import { startMetricsServer, type MetricsServer } from "../generator/operations/metrics-server.ts";
import { createApp } from "./app.ts";
import { createClusters } from "./cache/live-epoch.ts";
import type { ObjectReader } from "./cache/store.ts";
import { createNodeServer } from "./http/node-server.ts";
import { createGate, openLimiter } from "./limits/rate-limit.ts";
import type { Log, LogEntry } from "./operations/log.ts";
import { createRequestObserver, type AnsweredRequest } from "./operations/requests.ts";
import type { Settings } from "./settings.ts";
import { createSite, readSiteFiles } from "./site.ts";

interface ServerOptions {
  settings: Settings;
  objects: ObjectReader;
  /** Milliseconds since the epoch. */
  now: () => number;
  log: Log;
}

/** A proxy that listens. */
export interface Server {
  /** Where it is reached, without a slash behind it. */
  url: string;
  /** Where the metrics are; null: nowhere. */
  metricsUrl: string | null;
  /** Stops without losing an answer, see {@link shutDown}, and resolves when all is closed. May be called again. */
  close(): Promise<void>;
}

/** Whether the proxy could listen now, for one who has long work to do before. @throws {Error} naming the port that is taken */
export async function assertPortFree({ port, host }: Settings): Promise<void> {
  const probe = createServer();
  await listen(probe, { port, host, portVariable: "PORT", hostVariable: "HOST" });
  await new Promise((resolve) => probe.close(resolve));
}

/** Milliseconds that only go up, with fractions: durations are real, also where `now` tells the time of a story. */
const steadyNow = () => performance.now();

/** Puts the proxy together and listens. @throws {Error} naming the port that is taken */
export async function startServer({ settings, objects, now, log }: ServerOptions): Promise<Server> {
  const { siteDirectory, trustedProxies, metricsPort, port, host } = settings;
  const site = siteDirectory === null ? null : createSite(await readSiteFiles(siteDirectory));
  const metrics = metricsPort === null ? null : await loadMetrics(now);
  const clusters = createClusters({ rpcUrls: settings.rpcUrls, now });
  const limiter = await openLimiter({ ...settings, now: steadyNow, log });
  metrics?.observeLimiter(limiter);
  const gate = createGate({ limiter, trustedProxies });
  let isStopping = false;
  const app = createApp({
    objects: metrics?.observeReads(objects) ?? objects,
    readEpoch: metrics?.observeEpochs(clusters.readEpoch) ?? clusters.readEpoch,
    gate,
    now,
    log,
    site,
    onPlace: metrics?.observePlace,
    isStopping: () => isStopping,
    onSnapshot(index) {
      metrics?.holdSnapshot(index);
      log(toSnapshotEntry(index, now()));
    },
  });
  const isWatched = metrics !== null || settings.logRequests;
  const onAnswered = (request: AnsweredRequest) => {
    metrics?.countRequest(request);
    if (settings.logRequests) log(toRequestEntry(request));
  };
  const server = createNodeServer({
    app,
    gate,
    trustedProxies,
    now,
    log,
    onPlace: metrics?.observePlace,
    onRequest: isWatched ? createRequestObserver(steadyNow, onAnswered) : undefined,
    onRefused: (status) => metrics?.countRefusal(status),
    onDropped: (reason) => metrics?.countDropped(reason),
    isStopping: () => isStopping,
  });
  let metricsServer: MetricsServer | null = null;
  const closeOthers = async () => {
    limiter.close();
    await Promise.all([clusters.close(), metricsServer?.close()]);
  };
  let url: string;
  try {
    url = await listen(server, { port, host, portVariable: "PORT", hostVariable: "HOST" });
    if (metrics !== null && metricsPort !== null)
      metricsServer = await startMetricsServer({
        registry: metrics.registry,
        port: metricsPort,
        host: settings.metricsHost,
        onError: (error) => log({ level: "error", message: "cannot read the metrics", error }),
      });
  } catch (error) {
    server.close();
    await closeOthers();
    throw error;
  }

  async function close(): Promise<void> {
    isStopping = true;
    await shutDown(server, settings.drainSeconds * 1_000);
    await closeOthers();
  }
  let closing: Promise<void> | undefined;
  return { url, metricsUrl: metricsServer?.url ?? null, close: () => (closing ??= close()) };
}

/** Its library takes some 50 ms and a few MB to load: only where somebody wants it. */
async function loadMetrics(now: () => number) {
  const { createMetrics } = await import("./operations/metrics.ts");
  return createMetrics({ now, steadyNow });
}

/** Answers under way when the server stops listening may take this long before their connections are cut. */
export const CLOSE_MILLISECONDS = 5_000;
/** So often connections are closed whose last answer is out. */
const LOOK_MILLISECONDS = 50;

/**
 * Stops a server without losing an answer: every answer to a request from now on ends its connection; after the drain no
 * connection is taken, idle ones are closed, answers under way go out, and what is left after 5 s is cut. A load balancer that
 * asks /readyz every few seconds goes on sending until it has seen the 503, and needs a drain; one that tries another process
 * when a connection is refused does not.
 */
export async function shutDown(server: HttpServer, drainMilliseconds: number): Promise<void> {
  if (drainMilliseconds > 0) await new Promise((resolve) => setTimeout(resolve, drainMilliseconds));
  const closed = new Promise((resolve) => server.close(resolve));
  const looks = setInterval(() => server.closeIdleConnections(), LOOK_MILLISECONDS);
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_MILLISECONDS);
  await closed;
  clearInterval(looks);
  clearTimeout(timer);
}

/** Another snapshot is served from now on, or none: a store that was mistaken for another looks just like a new one. */
export function toSnapshotEntry({ network, snapshotAt, latestEpoch, epoch }: SnapshotIndex, now: number): LogEntry {
  const ageSeconds = snapshotAt === null ? null : Math.round((now - Date.parse(snapshotAt)) / 1000);
  const fields = { network, snapshotAt, ageSeconds, epoch: latestEpoch, slot: epoch?.absoluteSlot ?? null };
  if (snapshotAt !== null) return { level: "info", message: "snapshot loaded", fields };
  return { level: "warn", message: "nothing published yet: run the generator, or mend RUGWATCH_PUBLIC", fields };
}

/** No address of a client, and no query. */
function toRequestEntry({ method, route, status, seconds, sentBytes }: AnsweredRequest): LogEntry {
  const milliseconds = Math.round(seconds * 1e6) / 1e3;
  return { level: "info", message: "request", fields: { method, route, status, milliseconds, sentBytes } };
}
