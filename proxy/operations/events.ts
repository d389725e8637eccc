import type { SnapshotIndex } from "../../generator/contract/snapshot-index.ts";
import type { Settings } from "../config.ts";
import type { Log, LogEntry } from "../log/entry.ts";
import type { Metrics } from "./metrics.ts";
import type { ObservedRequest } from "./requests.ts";

/*
 * What happens to the proxy, as entries of its log. Addresses of stores and endpoints are left out, for they may hold keys,
 * unlike a directory's path; and so is all that tells who asked for what: addresses of clients, and the queries they made.
 */

/** How it was started, in how many processes. */
export function toSettingsEntry(settings: Settings, processes: number): LogEntry {
  const { host, port, metricsHost, metricsPort, trustedProxies, rateLimitPerMinute, publicStore, rpcUrls } = settings;
  const fields = {
    listensOn: `${host} ${port}`,
    metricsOn: metricsPort === null ? null : `${metricsHost} ${metricsPort}`,
    store: publicStore.startsWith("file:") ? publicStore : publicStore.slice(0, publicStore.indexOf(":")),
    rateLimitPerMinute,
    limitCountedBy: settings.valkey === null ? "this proxy" : "valkey",
    trustsProxiesBy: trustedProxies.by,
    drainSeconds: settings.drainSeconds,
    logLevel: settings.logLevel,
    logRequests: settings.logRequests,
    rpcEndpoints: Object.entries(rpcUrls)
      .map(([network, urls]) => `${network} ${urls.length}`)
      .join(", "),
    processes,
    node: process.version,
  };
  return { level: "info", message: "starting", fields };
}

/** Another snapshot is served from now on, or none: a store that was mistaken for another looks just like a new one. */
export function toSnapshotEntry({ network, snapshotAt, latestEpoch, epoch }: SnapshotIndex, now: number): LogEntry {
  const ageSeconds = snapshotAt === null ? null : Math.round((now - Date.parse(snapshotAt)) / 1000);
  const fields = { network, snapshotAt, ageSeconds, epoch: latestEpoch, slot: epoch?.absoluteSlot ?? null };
  if (snapshotAt !== null) return { level: "info", message: "snapshot loaded", fields };
  return { level: "warn", message: "nothing published yet: run the generator, or mend RUGWATCH_PUBLIC", fields };
}

interface AnsweredOptions {
  /** null: not counted. */
  metrics: Metrics | null;
  /** null: not logged. */
  log: Log | null;
}

/** What is done with each request that has been dealt with; null: nothing. */
export function createAnsweredListener({ metrics, log }: AnsweredOptions): ((request: ObservedRequest) => void) | null {
  if (metrics === null && log === null) return null;
  return (request) => {
    metrics?.requests.count(request);
    log?.(toRequestEntry(request));
  };
}

function toRequestEntry({ method, route, status, seconds, sentBytes }: ObservedRequest): LogEntry {
  const milliseconds = Math.round(seconds * 1e6) / 1e3;
  return { level: "info", message: "request", fields: { method, route, status, milliseconds, sentBytes } };
}
