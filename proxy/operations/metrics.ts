import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Network } from "../../generator/contract/networks.ts";
import type { ReadEpoch } from "../cache/live-epoch.ts";
import type { CachePlace, OnPlace } from "../cache/memory.ts";
import type { ObjectReader } from "../cache/store.ts";
import { DROP_REASONS, type DropReason } from "../http/connections.ts";
import type { Limiter } from "../limits/limiter.ts";
import type { AnsweredRequest } from "./requests.ts";

/** What is measured of the process, in the terms of Prometheus. No label holds what a stranger can make up. */
export interface Metrics {
  registry: Registry;
  countRequest(request: AnsweredRequest): void;
  /** Counts a refusal below the app, by the status that its client was told. */
  countRefusal(status: number): void;
  countDropped(reason: DropReason): void;
  /** The store, with every reading of it counted. */
  observeReads(objects: ObjectReader): ObjectReader;
  /** The cluster, with every reading of it counted. */
  observeEpochs(readEpoch: ReadEpoch): ReadEpoch;
  /** Shows from now on whether the limit is counted with others; nothing of a limiter that always counts alone. */
  observeLimiter(limiter: Limiter): void;
  /** Shows from now on how full a cache is; those of one name are added up. */
  observePlace: OnPlace;
  /** A snapshot is held from now on; `snapshotAt` is its own time, null where nothing is published. */
  holdSnapshot(snapshot: { network: Network; snapshotAt: string | null }): void;
}

interface MetricsOptions {
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Milliseconds that only go up, with fractions. */
  steadyNow: () => number;
}

/** Upper bounds in seconds: an answer from memory takes some 0.1 ms, the store's deadline is 5 s. */
const BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function createMetrics({ now, steadyNow }: MetricsOptions): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const refusals = createCounter(registry, {
    name: "rugwatch_http_refusals_total",
    help: "Refusals of what was no request, or none to be looked at, by status. They are not among the requests.",
    label: "status",
    values: ["400", "405", "408", "414", "429", "431"],
  });
  const drops = createCounter(registry, {
    name: "rugwatch_http_connections_dropped_total",
    help: "Connections closed: their client had too many, or they were idle longest when there were too many in all.",
    label: "reason",
    values: DROP_REASONS,
  });
  return {
    registry,
    countRequest: createRequestCounter(registry),
    countRefusal: (status) => refusals.inc({ status }),
    countDropped: (reason) => drops.inc({ reason }),
    observeReads: createReadObserver(registry, { now, steadyNow }),
    observeEpochs: createEpochObserver(registry),
    observeLimiter: (limiter) => showLimiter(registry, limiter),
    observePlace: createPlaceObserver(registry),
    holdSnapshot: createSnapshotGauge(registry, now),
  };
}

/** What is known to be counted shows before it happens first: a rate has something to begin with. */
function createCounter(
  registry: Registry,
  options: { name: string; help: string; label: string; values: readonly string[] },
) {
  const { name, help, label, values } = options;
  const counter = new Counter({ name, help, labelNames: [label], registers: [registry] });
  for (const value of values) counter.inc({ [label]: value }, 0);
  return counter;
}

/** Node's parser takes some thirty methods, which tell nothing of an API that is only read. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]);

function createRequestCounter(registry: Registry): Metrics["countRequest"] {
  const requests = new Counter({
    name: "rugwatch_http_requests_total",
    help: "Requests by route, method and status; 429 are those over the rate limit, gone whose client did not stay.",
    labelNames: ["route", "method", "status"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "rugwatch_http_request_duration_seconds",
    help: "Seconds from a request's arrival until the kernel had the last byte of its answer.",
    labelNames: ["route"],
    buckets: BUCKETS,
    registers: [registry],
  });
  return ({ route, method, status, seconds }) => {
    requests.inc({ route, method: METHODS.has(method) ? method : "other", status: status === 0 ? "gone" : status });
    durations.observe({ route }, seconds);
  };
}

function createReadObserver(registry: Registry, { now, steadyNow }: MetricsOptions): Metrics["observeReads"] {
  const reads = createCounter(registry, {
    name: "rugwatch_store_reads_total",
    help: "Readings of the public store, by what came of them: found, unchanged, missing, failed.",
    label: "result",
    values: ["found", "unchanged", "missing", "failed"],
  });
  const bytes = new Counter({
    name: "rugwatch_store_read_bytes_total",
    help: "Bytes of the objects read.",
    registers: [registry],
  });
  const durations = new Histogram({
    name: "rugwatch_store_read_duration_seconds",
    help: "How long the store took to answer, or to fail.",
    buckets: BUCKETS,
    registers: [registry],
  });
  let answeredAt: number | null = null;
  new Gauge({
    name: "rugwatch_store_answer_age_seconds",
    help: "Since the store answered last. It grows while nothing is asked of the store, too.",
    registers: [registry],
    collect() {
      if (answeredAt !== null) this.set((now() - answeredAt) / 1000);
    },
  });
  return (objects) => ({
    async getIfChanged(key, knownEtag) {
      const startedAt = steadyNow();
      try {
        const object = await objects.getIfChanged(key, knownEtag);
        reads.inc({ result: object === null ? "missing" : object === "unchanged" ? object : "found" });
        if (object !== null && object !== "unchanged") bytes.inc(object.body.byteLength);
        answeredAt = now();
        return object;
      } catch (error) {
        reads.inc({ result: "failed" });
        throw error;
      } finally {
        durations.observe((steadyNow() - startedAt) / 1000);
      }
    },
  });
}

function createEpochObserver(registry: Registry): Metrics["observeEpochs"] {
  const readings = new Counter({
    name: "rugwatch_epoch_readings_total",
    help: "Readings of the running epoch from a cluster, by what came of them: read, failed.",
    labelNames: ["network", "result"],
    registers: [registry],
  });
  return (readEpoch) => async (network) => {
    try {
      const epoch = await readEpoch(network);
      readings.inc({ network, result: "read" });
      return epoch;
    } catch (error) {
      readings.inc({ network, result: "failed" });
      throw error;
    }
  };
}

function showLimiter(registry: Registry, limiter: Limiter): void {
  if (limiter.isShared === undefined) return;
  new Gauge({
    name: "rugwatch_limiter_shared",
    help: "1: the rate limit is counted with the other processes. 0: who counts for all does not, each counts alone.",
    registers: [registry],
    collect() {
      this.set(limiter.isShared === true ? 1 : 0);
    },
  });
}

function createPlaceObserver(registry: Registry): OnPlace {
  const places: CachePlace[] = [];
  const show = (name: string, help: string, getBytes: (place: CachePlace) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["place"],
      registers: [registry],
      collect() {
        this.reset();
        for (const place of places) this.inc({ place: place.name }, getBytes(place));
      },
    });
  show("rugwatch_held_bytes", "Bytes remembered of what can be read or made again, by place.", (place) =>
    place.getBytes(),
  );
  show("rugwatch_held_max_bytes", "The most bytes that may be remembered, by place.", ({ maxBytes }) => maxBytes);
  return (place) => void places.push(place);
}

function createSnapshotGauge(registry: Registry, now: () => number): Metrics["holdSnapshot"] {
  const times = new Map<Network, number>();
  new Gauge({
    name: "rugwatch_snapshot_age_seconds",
    help: "Since the observation that the snapshot held was made of. It is read anew when it is asked for.",
    labelNames: ["network"],
    registers: [registry],
    collect() {
      for (const [network, at] of times) this.set({ network }, (now() - at) / 1000);
    },
  });
  return ({ network, snapshotAt }) => {
    if (snapshotAt !== null) times.set(network, Date.parse(snapshotAt));
  };
}
