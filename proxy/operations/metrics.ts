import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Network } from "../../generator/contract/networks.ts";
import type { ReadEpoch } from "../held/live-epoch.ts";
import type { ObjectRead, ObjectReader } from "../held/objects.ts";
import { DROP_REASONS, type DropReason } from "../http/connection-limits.ts";
import type { Limiter } from "../limits/limiter.ts";
import type { OnPlace } from "../memory.ts";
import { createPlaceObserver } from "./place-metrics.ts";
import { createRequestCounts, LATENCY_BOUNDS_SECONDS, type RequestCounts } from "./request-counts.ts";
import { registerRequestMetrics } from "./request-metrics.ts";

/** What is measured of one process, in the terms of Prometheus. No label holds what a stranger can make up. */
export interface Metrics {
  registry: Registry;
  requests: RequestCounts;
  /** Counts a refusal below the app, by the status that its client was told. */
  countRefusal(status: number): void;
  /** Counts a connection that was closed as soon as it was opened. */
  countDropped(reason: DropReason): void;
  /** The store, with every reading of it counted. */
  observeReads(objects: ObjectReader): ObjectReader;
  /** The cluster, with every reading of it counted. */
  observeEpochs(readEpoch: ReadEpoch): ReadEpoch;
  /** Shows from now on whether the limit is counted with others; nothing of a limiter that always counts alone. */
  observeLimiter(limiter: Limiter): void;
  /** Shows from now on how full a place of memory.ts is; those of one name are added up. */
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

export function createMetrics({ now, steadyNow }: MetricsOptions): Metrics {
  const registry = new Registry();
  const requests = createRequestCounts();
  collectDefaultMetrics({ register: registry });
  registerRequestMetrics(registry, requests);
  return {
    registry,
    requests,
    countRefusal: createRefusalCounter(registry),
    countDropped: createDropCounter(registry),
    observeReads: createReadObserver(registry, { now, steadyNow }),
    observeEpochs: createEpochObserver(registry),
    observeLimiter: createLimiterObserver(registry),
    observePlace: createPlaceObserver(registry),
    holdSnapshot: createSnapshotGauge(registry, now),
  };
}

/** Apart from the requests: of most nobody knows what they were for. */
function createRefusalCounter(registry: Registry): Metrics["countRefusal"] {
  const refusals = new Counter({
    name: "rugwatch_http_refusals_total",
    help: "Refusals of what was no request, or none to be looked at, by status. They are not among the requests.",
    labelNames: ["status"],
    registers: [registry],
  });
  return countFromZero(refusals, "status", [400, 405, 408, 414, 429, 431]);
}

function createDropCounter(registry: Registry): Metrics["countDropped"] {
  const drops = new Counter({
    name: "rugwatch_http_connections_dropped_total",
    help: "Connections closed as soon as they were opened: there were too many, in all or of their client.",
    labelNames: ["reason"],
    registers: [registry],
  });
  return countFromZero(drops, "reason", DROP_REASONS);
}

/** What is known to be counted shows before it happens first: a rate has something to begin with. */
function countFromZero<Label extends string, Value extends string | number>(
  counter: Counter<Label>,
  label: Label,
  values: readonly Value[],
): (value: Value) => void {
  const count = (value: Value, by: number) => counter.inc({ [label]: value } as Record<Label, Value>, by);
  for (const value of values) count(value, 0);
  return (value) => count(value, 1);
}

function createReadObserver(registry: Registry, { now, steadyNow }: MetricsOptions): Metrics["observeReads"] {
  const reads = new Counter({
    name: "rugwatch_store_reads_total",
    help: "Readings of the public store, by what came of them: found, unchanged, missing, failed.",
    labelNames: ["result"],
    registers: [registry],
  });
  const bytes = new Counter({
    name: "rugwatch_store_read_bytes_total",
    help: "Bytes of the objects read.",
    registers: [registry],
  });
  const durations = new Histogram({
    name: "rugwatch_store_read_duration_seconds",
    help: "How long the store took to answer, or to fail.",
    buckets: [...LATENCY_BOUNDS_SECONDS],
    registers: [registry],
  });
  let answeredAt: number | null = null;
  new Gauge({
    name: "rugwatch_store_answer_age_seconds",
    help: "Since the store answered last. It grows while nothing is asked of the store, too.",
    aggregator: "min",
    registers: [registry],
    collect() {
      if (answeredAt !== null) this.set((now() - answeredAt) / 1000);
    },
  });
  for (const result of ["found", "unchanged", "missing", "failed"]) reads.inc({ result }, 0);
  return (objects) => ({
    async getIfChanged(key, knownEtag) {
      const startedAt = steadyNow();
      try {
        const object = await objects.getIfChanged(key, knownEtag);
        reads.inc({ result: toReadResult(object) });
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

function toReadResult(object: ObjectRead | "unchanged" | null): string {
  if (object === null) return "missing";
  return object === "unchanged" ? object : "found";
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

function createLimiterObserver(registry: Registry): Metrics["observeLimiter"] {
  return (limiter) => {
    if (limiter.isShared === undefined) return;
    new Gauge({
      name: "rugwatch_limiter_shared",
      help: "1: the rate limit is counted with the other processes. 0: who counts for all does not, each counts alone.",
      // Of many processes the worst.
      aggregator: "min",
      registers: [registry],
      collect() {
        this.set(limiter.isShared === true ? 1 : 0);
      },
    });
  };
}

function createSnapshotGauge(registry: Registry, now: () => number): Metrics["holdSnapshot"] {
  const times = new Map<Network, number>();
  new Gauge({
    name: "rugwatch_snapshot_age_seconds",
    help: "Since the observation that the snapshot held was made of. It is read anew when it is asked for.",
    labelNames: ["network"],
    // Of many processes the worst: one that is stuck must show.
    aggregator: "max",
    registers: [registry],
    collect() {
      for (const [network, at] of times) this.set({ network }, (now() - at) / 1000);
    },
  });
  return ({ network, snapshotAt }) => {
    if (snapshotAt !== null) times.set(network, Date.parse(snapshotAt));
  };
}
