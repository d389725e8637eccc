import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Network } from "../../generator/contract/networks.ts";
import type { ReadEpoch } from "../cache/live-epoch.ts";
import type { CachePlace } from "../cache/memory.ts";
import type { ObjectReader } from "../cache/store.ts";
import { DROP_REASONS, type DropReason } from "../http/connections.ts";
import type { Limiter } from "../limits/limiter.ts";
import type { AnsweredRequest } from "./requests.ts";

/** Seconds: an answer from memory takes some 0.1 ms, the store's deadline is 5 s. */
const BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** Node's parser knows thirty more. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]);
const REFUSALS = ["400", "405", "408", "414", "429", "431"];
const READS = ["found", "unchanged", "missing", "failed"];

/** No label holds what a stranger can make up. */
export class Metrics {
  readonly registry = new Registry();
  readonly #now: () => number;
  readonly #steadyNow: () => number;
  readonly #places: CachePlace[] = [];
  readonly #snapshotTimes = new Map<Network, number>();
  #storeAnsweredAt: number | null = null;

  readonly #requests = this.#count("http_requests_total", "By their end.", "route", "method", "status");
  readonly #seconds = this.#time("http_request_duration_seconds", "Until the last byte was sent.", "route");
  readonly #refusals = this.#count("http_refusals_total", "What was no request to look at.", "status");
  readonly #drops = this.#count("http_connections_dropped_total", "Too many: cut.", "reason");
  readonly #reads = this.#count("store_reads_total", "Readings of the public store.", "result");
  readonly #readBytes = this.#count("store_read_bytes_total", "Bytes of the objects read.");
  readonly #readSeconds = this.#time("store_read_duration_seconds", "Until the store answered, or failed.");
  readonly #epochReadings = this.#count("epoch_readings_total", "Readings of the epoch.", "network", "result");

  /** @param steadyNow milliseconds that only go up, with fractions */
  constructor(now: () => number, steadyNow: () => number) {
    this.#now = now;
    this.#steadyNow = steadyNow;
    collectDefaultMetrics({ register: this.registry });
    // A rate needs a zero to begin with.
    for (const status of REFUSALS) this.#refusals.inc({ status }, 0);
    for (const reason of DROP_REASONS) this.#drops.inc({ reason }, 0);
    for (const result of READS) this.#reads.inc({ result }, 0);
    this.#show("store_answer_age_seconds", "Since the store answered last, or was not asked.", [], (gauge) => {
      if (this.#storeAnsweredAt !== null) gauge.set((now() - this.#storeAnsweredAt) / 1000);
    });
    this.#show("snapshot_age_seconds", "Since the observation it was made of.", ["network"], (gauge) => {
      for (const [network, at] of this.#snapshotTimes) gauge.set({ network }, (now() - at) / 1000);
    });
    this.#showBytes("held_bytes", "What can be read or made again.", (place) => place.getBytes());
    this.#showBytes("held_max_bytes", "The most that may be.", (place) => place.maxBytes);
  }

  countRequest({ route, method, status, seconds }: AnsweredRequest): void {
    const known = METHODS.has(method) ? method : "other";
    this.#requests.inc({ route, method: known, status: status === 0 ? "gone" : status });
    this.#seconds.observe({ route }, seconds);
  }

  readonly countRefusal = (status: number) => this.#refusals.inc({ status });
  readonly countDropped = (reason: DropReason) => this.#drops.inc({ reason });

  observeReads(objects: ObjectReader): ObjectReader {
    return {
      getIfChanged: async (key, knownEtag) => {
        const startedAt = this.#steadyNow();
        try {
          const object = await objects.getIfChanged(key, knownEtag);
          this.#reads.inc({ result: object === null ? "missing" : object === "unchanged" ? object : "found" });
          if (object !== null && object !== "unchanged") this.#readBytes.inc(object.body.byteLength);
          this.#storeAnsweredAt = this.#now();
          return object;
        } catch (error) {
          this.#reads.inc({ result: "failed" });
          throw error;
        } finally {
          this.#readSeconds.observe((this.#steadyNow() - startedAt) / 1000);
        }
      },
    };
  }

  observeEpochs(readEpoch: ReadEpoch): ReadEpoch {
    return async (network) => {
      try {
        const epoch = await readEpoch(network);
        this.#epochReadings.inc({ network, result: "read" });
        return epoch;
      } catch (error) {
        this.#epochReadings.inc({ network, result: "failed" });
        throw error;
      }
    };
  }

  observeLimiter(limiter: Limiter): void {
    if (limiter.isShared === undefined) return;
    const help = "1: the limit is counted with the other processes. 0: each counts alone.";
    this.#show("limiter_shared", help, [], (gauge) => gauge.set(limiter.isShared === true ? 1 : 0));
  }

  readonly observePlace = (place: CachePlace) => void this.#places.push(place);

  holdSnapshot({ network, snapshotAt }: { network: Network; snapshotAt: string | null }): void {
    if (snapshotAt !== null) this.#snapshotTimes.set(network, Date.parse(snapshotAt));
  }

  #count(name: string, help: string, ...labelNames: string[]) {
    return new Counter({ name: `rugwatch_${name}`, help, labelNames, registers: [this.registry] });
  }

  #time(name: string, help: string, ...labelNames: string[]) {
    const registers = [this.registry];
    return new Histogram({ name: `rugwatch_${name}`, help, labelNames, buckets: BUCKETS, registers });
  }

  #showBytes(name: string, help: string, getBytes: (place: CachePlace) => number): void {
    this.#show(name, help, ["place"], (gauge) => {
      gauge.reset();
      for (const place of this.#places) gauge.inc({ place: place.name }, getBytes(place));
    });
  }

  #show(name: string, help: string, labelNames: string[], set: (gauge: Gauge) => void): void {
    const registers = [this.registry];
    const collect = () => set(gauge);
    const gauge: Gauge = new Gauge({ name: `rugwatch_${name}`, help, labelNames, registers, collect });
  }
}
