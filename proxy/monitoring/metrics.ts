import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Network } from "../../generator/contract/networks.ts";
import type { SnapshotIndex } from "../../generator/contract/snapshot-index.ts";
import type { Clusters } from "../cache/live-epoch.ts";
import type { CachePlace, ObjectReader } from "../cache/store.ts";
import type { Refusal } from "../http/node-server.ts";
import type { Limiter } from "../limits/rate-limit.ts";
import type { AnsweredRequest } from "./requests.ts";

/** Seconds: an answer from memory takes some 0.1 ms, the store's deadline is 5 s. */
const BUCKETS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
];
/** Node's parser knows thirty more. */
const METHODS: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "OPTIONS",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
]);

/** No label holds what a stranger can make up. */
export function createMetrics(now: () => number) {
  const registry = new Registry();
  const toOptions = (name: string, help: string, labelNames: string[]) => {
    return { name: `rugwatch_${name}`, help, labelNames, registers: [registry] };
  };
  const count = (name: string, help: string, ...labels: string[]) =>
    new Counter(toOptions(name, help, labels));
  const time = (name: string, help: string, ...labels: string[]) =>
    new Histogram({ ...toOptions(name, help, labels), buckets: BUCKETS });
  const show = (name: string, help: string, labels: string[], set: (gauge: Gauge) => void) => {
    const gauge: Gauge = new Gauge({ ...toOptions(name, help, labels), collect: () => set(gauge) });
  };

  const requests = count("http_requests_total", "By their end.", "route", "method", "status");
  const seconds = time("http_request_duration_seconds", "Until the last byte was sent.", "route");
  const refusals = count("http_refusals_total", "Of bytes that are no request.", "status");
  const drops = count("http_connections_dropped_total", "Too many: not taken.");
  const reads = count("store_reads_total", "Readings of the public store.", "result");
  const readBytes = count("store_read_bytes_total", "Bytes of the objects read.");
  const readSeconds = time("store_read_duration_seconds", "Until the store answered, or failed.");
  const epochReadings = count(
    "epoch_readings_total",
    "Readings of the epoch.",
    "network",
    "result",
  );
  collectDefaultMetrics({ register: registry });
  // A rate needs a zero to begin with.
  for (const status of ["400", "408", "431"]) refusals.inc({ status }, 0);
  for (const result of ["found", "unchanged", "missing", "failed"]) reads.inc({ result }, 0);

  let storeAnsweredAt: number | null = null;
  show(
    "store_answer_age_seconds",
    "Since the store answered last, or was not asked.",
    [],
    (gauge) => {
      if (storeAnsweredAt !== null) gauge.set((now() - storeAnsweredAt) / 1000);
    },
  );
  const snapshotTimes = new Map<Network, number>();
  show("snapshot_age_seconds", "Since the observation it was made of.", ["network"], (gauge) => {
    for (const [network, at] of snapshotTimes) gauge.set({ network }, (now() - at) / 1000);
  });
  const places: CachePlace[] = [];
  const showBytes = (name: string, help: string, getBytes: (place: CachePlace) => number) =>
    show(name, help, ["place"], (gauge) => {
      gauge.reset();
      for (const place of places) gauge.inc({ place: place.name }, getBytes(place));
    });
  showBytes("held_bytes", "What can be read or made again.", (place) => place.getBytes());
  showBytes("held_max_bytes", "The most that may be.", (place) => place.maxBytes);

  return {
    registry,
    countRequest({ route, method, status, seconds: took }: AnsweredRequest): void {
      const known = METHODS.has(method) ? method : "other";
      requests.inc({ route, method: known, status: status === 0 ? "gone" : status });
      seconds.observe({ route }, took);
    },
    countRefusal: ({ status }: Refusal) => refusals.inc({ status }),
    countDropped: () => drops.inc(),
    observePlace: (place: CachePlace) => void places.push(place),
    observeReads: (objects: ObjectReader): ObjectReader => ({
      async getIfChanged(key, knownEtag) {
        const stopTimer = readSeconds.startTimer();
        try {
          const object = await objects.getIfChanged(key, knownEtag);
          reads.inc({
            result: object === null ? "missing" : object === "unchanged" ? object : "found",
          });
          if (object !== null && object !== "unchanged") readBytes.inc(object.body.byteLength);
          storeAnsweredAt = now();
          return object;
        } catch (error) {
          reads.inc({ result: "failed" });
          throw error;
        } finally {
          stopTimer();
        }
      },
    }),
    observeClusters: ({ watched, readEpoch }: Clusters): Clusters => ({
      watched,
      async readEpoch(network) {
        const reading = readEpoch(network);
        const countAs = (result: string) => () => epochReadings.inc({ network, result });
        reading.then(countAs("read"), countAs("failed"));
        return reading;
      },
    }),
    observeLimiter(limiter: Limiter): void {
      const { isShared } = limiter;
      if (isShared === undefined) return;
      const help = "1: the limit is counted with the other processes. 0: each counts alone.";
      show("limiter_shared", help, [], (gauge) => gauge.set(isShared() ? 1 : 0));
    },
    holdSnapshot({ network, snapshotAt }: SnapshotIndex): void {
      if (snapshotAt !== null) snapshotTimes.set(network, Date.parse(snapshotAt));
    },
  };
}
