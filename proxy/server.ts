import type { Server as HttpServer } from "node:http";
import type { SnapshotIndex } from "../generator/contract/snapshot-index.ts";
import { listen } from "../generator/monitoring/listen.ts";
import { startMetricsServer, type MetricsServer } from "../generator/monitoring/metrics-server.ts";
import { createApp } from "./app.ts";
import { createClusters } from "./cache/live-epoch.ts";
import type { ObjectReader } from "./cache/store.ts";
import { createNodeServer, type Refusal } from "./http/node-server.ts";
import { openLimiter } from "./limits/open-limiter.ts";
import { toPolicyHeaders } from "./limits/rate-limit.ts";
import type { Log, LogEntry } from "./log.ts";
import { createRequestObserver, type AnsweredRequest } from "./monitoring/requests.ts";
import type { Settings } from "./settings.ts";
import { createSite, readSiteFiles } from "./site.ts";

interface ServerOptions {
  settings: Settings;
  objects: ObjectReader;
  /** Milliseconds since the epoch. */
  now: () => number;
  log: Log;
  /** Milliseconds that never go back, with fractions. */
  steadyNow?: () => number;
}

/** A proxy that listens. */
export interface Server {
  url: string;
  metricsUrl: string | null;
  /** Takes no more requests, and lets running answers go out. */
  close(): Promise<void>;
}

/** @throws {Error} when the port cannot be had */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { settings, objects, now, log, steadyNow = () => performance.now() } = options;
  const { siteDirectory, trustedProxies, metricsPort, logRequests, rpcUrls } = settings;
  const site = siteDirectory === null ? null : createSite(await readSiteFiles(siteDirectory));
  // prom-client is loaded only when needed: it takes 50 ms and a few MB.
  const metrics =
    metricsPort === null ? null : (await import("./monitoring/metrics.ts")).createMetrics(now);
  const clusters = createClusters(rpcUrls, now);
  const limiter = await openLimiter(settings, steadyNow, log);
  metrics?.observeLimiter(limiter);
  let stopping = false;
  const app = createApp({
    now,
    steadyNow,
    log,
    limiter,
    trustedProxies,
    site,
    objects: metrics?.observeReads(objects) ?? objects,
    clusters: metrics === null ? clusters : metrics.observeClusters(clusters),
    onPlace: metrics?.observePlace,
    isStopping: () => stopping,
    onSnapshot(index) {
      metrics?.holdSnapshot(index);
      if (index.snapshotAt !== null)
        log(toSnapshotEntry(index, now() - Date.parse(index.snapshotAt)));
    },
  });
  const onAnswered = (request: AnsweredRequest) => {
    metrics?.countRequest(request);
    if (logRequests) log(toRequestEntry(request));
  };
  const onRefused = (refusal: Refusal) => {
    metrics?.countRefusal(refusal);
    if (logRequests) log(toRefusalEntry(refusal));
  };
  const server = createNodeServer({
    app,
    refusalHeaders: toPolicyHeaders(limiter.points),
    onRequest:
      metrics !== null || logRequests ? createRequestObserver(steadyNow, onAnswered) : undefined,
    onRefused,
    onDropped: metrics?.countDropped,
  });
  let metricsServer: MetricsServer | null = null;
  const closeOthers = async () => {
    limiter.close?.();
    await Promise.all([clusters.close(), metricsServer?.close()]);
  };
  let url: string;
  try {
    url = await listen(server, settings);
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

  // Reads the index ahead, and logs if nothing is published.
  void app.request("/readyz");

  async function close(): Promise<void> {
    stopping = true;
    await shutDown(server, settings.drainSeconds * 1_000);
    await closeOthers();
  }
  let closing: Promise<void> | undefined;
  return { url, metricsUrl: metricsServer?.url ?? null, close: () => (closing ??= close()) };
}

/** Answers that are under way when the proxy stops have so long. */
export const CLOSE_MILLISECONDS = 5_000;
const LOOK_MILLISECONDS = 50;

/**
 * Drains while /readyz says 503, closes idle connections, lets
 * running answers go out, and cuts what is left after 5 s.
 */
export async function shutDown(server: HttpServer, drainMilliseconds: number): Promise<void> {
  // Clients must not send another request on a connection that is about to close.
  server.prependListener("request", (_, response) => (response.shouldKeepAlive = false));
  if (drainMilliseconds > 0) await new Promise((resolve) => setTimeout(resolve, drainMilliseconds));
  const closed = new Promise((resolve) => server.close(resolve));
  const looks = setInterval(() => server.closeIdleConnections(), LOOK_MILLISECONDS);
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_MILLISECONDS);
  await closed;
  clearInterval(looks);
  clearTimeout(timer);
}

function toSnapshotEntry(
  { network, snapshotAt, latestEpoch, epoch }: SnapshotIndex,
  age: number,
): LogEntry {
  const ageSeconds = Math.round(age / 1000);
  const fields = {
    network,
    snapshotAt,
    ageSeconds,
    epoch: latestEpoch,
    slot: epoch?.absoluteSlot ?? null,
  };
  return { level: "info", message: "snapshot loaded", fields };
}

function toRequestEntry({ seconds, ...request }: AnsweredRequest): LogEntry {
  const { requestId, method, route, status, sentBytes } = request;
  const milliseconds = Math.round(seconds * 1e6) / 1e3;
  const fields = { requestId, method, route, status, milliseconds, sentBytes };
  return { level: "info", message: "request", fields };
}

function toRefusalEntry({ requestId, status }: Refusal): LogEntry {
  return { level: "info", message: "request refused", fields: { requestId, status } };
}
