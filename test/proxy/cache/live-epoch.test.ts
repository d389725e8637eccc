import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CACHE_CLASSES } from "../../../generator/contract/cache.ts";
import {
  epochDocumentSchema,
  epochSchema,
  type EpochReading,
} from "../../../generator/contract/epoch.ts";
import type { Network } from "../../../generator/contract/networks.ts";
import type { EpochInfo } from "../../../generator/rpc/epoch.ts";
import {
  createLiveEpoch,
  estimateEpoch,
  LIVE_DEADLINE_MILLISECONDS,
  PATIENCE_MILLISECONDS,
} from "../../../proxy/cache/live-epoch.ts";
import { describeProxy, readBody, readError } from "../_setup.ts";
import { LATEST_EPOCH, makeIndex, publish, SEEN_AT } from "../fixtures.ts";
import { openBench } from "./_bench.ts";

const SLOTS_IN_EPOCH = 432_000;
const DAY = 86_400_000;
/** A slot takes 200 ms, and the snapshot is of the slot with the index 1,000. */
const INDEX = makeIndex();

function at(slotIndex: number, epoch = LATEST_EPOCH): EpochInfo {
  return {
    epoch,
    slotIndex,
    slotsInEpoch: SLOTS_IN_EPOCH,
    absoluteSlot: epoch * SLOTS_IN_EPOCH + slotIndex,
  };
}

const hang = () => new Promise<never>(() => undefined);
const fail = () => Promise.reject(new Error("silent"));
const answerAt = (info: EpochInfo) => () => Promise.resolve(info);

describe("the epoch carried on from a reading", () => {
  const OBSERVED = Date.parse(SEEN_AT);
  const reading: EpochReading = { ...at(108_000), observedAt: SEEN_AT, slotMilliseconds: 200 };
  const estimate = (later: number, changes: Partial<EpochReading> = {}, live = false) =>
    estimateEpoch({ reading: { ...reading, ...changes }, now: OBSERVED + later, live });
  const times = {
    epochStartedAt: new Date(OBSERVED - 108_000 * 200).toISOString(),
    epochEndsAt: new Date(OBSERVED + 324_000 * 200).toISOString(),
  };

  it.each([
    ["at its own time", 0, { ...at(108_000), progressPercent: 25, live: false }],
    ["on by whole slots", 60_199, { ...at(108_300), progressPercent: 25.07, live: false }],
    ["a moment before the last slot", 323_999 * 200 - 1, { ...at(431_998) }],
    ["at the last slot", 323_999 * 200, { ...at(431_999), progressPercent: 100 }],
    ["a day later no further", 324_000 * 200 + DAY, { ...at(431_999), progressPercent: 100 }],
  ])("is %s, while start and end stay", (_, later, epoch) => {
    expect(estimate(later)).toMatchObject({ ...epoch, ...times });
  });

  it("at any later time is the same epoch, in which its slot only moves on", () => {
    const later = fc.integer({ min: 0, max: 400 * DAY });
    fc.assert(
      fc.property(later, later, (one, other) => {
        const first = estimate(Math.min(one, other));
        const second = estimate(Math.max(one, other));
        expect(epochSchema.safeParse(second).error).toBeUndefined();
        expect(second.absoluteSlot - second.slotIndex).toBe(LATEST_EPOCH * SLOTS_IN_EPOCH);
        expect(second.slotIndex).toBeGreaterThanOrEqual(first.slotIndex);
        expect(second.slotIndex).toBeLessThan(SLOTS_IN_EPOCH);
      }),
    );
  });

  it.each<[string, number, Partial<EpochReading>]>([
    ["no measured slot time", 3_600_000, { slotMilliseconds: null }],
    ["a clock before the reading", -5_000, {}],
    ["a slot time beyond all dates", 0, { slotMilliseconds: 1e12 }],
  ])("stands still and keeps to its schema with %s", (_, later, changes) => {
    const stood = estimate(later, changes);
    expect(epochSchema.safeParse(stood).error).toBeUndefined();
    expect(stood.slotIndex).toBe(108_000);
    if (changes.slotMilliseconds !== undefined)
      expect(stood).toMatchObject({ epochStartedAt: null, epochEndsAt: null });
  });
});

describe("the live epoch", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  function watch(published = [publish("index", {}, INDEX)], watched: Network[] = ["mainnet"]) {
    const bench = openBench(published);
    const cluster = { asked: 0, answer: answerAt(at(2_000)) };
    const readEpoch = () => {
      cluster.asked += 1;
      return cluster.answer();
    };
    const getLiveEpoch = createLiveEpoch(bench.context, bench.snapshots, { watched, readEpoch });
    const getReading = () => getLiveEpoch("mainnet");
    return { bench, cluster, getReading, getEpoch: async () => (await getReading()).value };
  }

  it("waits a moment, not the whole deadline, for a cluster that hangs", async () => {
    const { bench, cluster, getEpoch } = watch();
    await bench.snapshots.get("mainnet");
    cluster.answer = hang;
    let answered = 0;
    const asked = [getEpoch(), getEpoch()].map((answer) => answer.finally(() => (answered += 1)));
    await vi.advanceTimersByTimeAsync(PATIENCE_MILLISECONDS - 1);
    expect(answered).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    for (const epoch of await Promise.all(asked))
      expect(epoch).toMatchObject({ slotIndex: 1_000, live: false });
    await vi.advanceTimersByTimeAsync(LIVE_DEADLINE_MILLISECONDS);
    expect(await getEpoch()).toMatchObject({ slotIndex: 1_000, live: false });
    expect(cluster.asked).toBe(1);
    expect(bench.log).toMatchObject([
      { message: "cannot read the epoch of mainnet, with nothing cached" },
    ]);
  });

  it.each([
    ["answered with an error", fail],
    [
      "failed before it began",
      () => {
        throw new Error("no endpoint");
      },
    ],
  ])(
    "is live again with the first request that the cluster answers again, which %s",
    async (_, answer) => {
      const { bench, cluster, getEpoch } = watch();
      cluster.answer = answer;
      expect(await getEpoch()).toMatchObject({ live: false });
      cluster.answer = answerAt(at(2_000));
      bench.now += 29_999;
      expect(await getEpoch()).toMatchObject({ slotIndex: 1_149, live: false });
      bench.now += 2;
      expect(await getEpoch()).toMatchObject({ slotIndex: 2_000, live: true });
      expect(cluster.asked).toBe(2);
    },
  );

  it("waits the whole deadline when nothing else can tell, and says then that nothing can", async () => {
    const { bench, cluster, getEpoch } = watch([]);
    cluster.answer = hang;
    const refused = expect(getEpoch()).rejects.toMatchObject({ code: "upstream_unavailable" });
    await vi.advanceTimersByTimeAsync(LIVE_DEADLINE_MILLISECONDS);
    await refused;
    const message = "cannot read the epoch of mainnet, with nothing cached";
    expect(bench.log).toMatchObject([{ level: "warn", message }]);
  });

  it("of a cluster that nobody watches is the store's at once, or nothing", async () => {
    const { cluster, getEpoch } = watch(undefined, []);
    expect(await getEpoch()).toMatchObject({ slotIndex: 1_000, live: false });
    await expect(watch([], []).getEpoch()).rejects.toMatchObject({ code: "not_found" });
    expect(cluster.asked).toBe(0);
  });

  it("does not wait for a store that hangs: without slot time, but live", async () => {
    const { bench, getEpoch } = watch();
    bench.beforeRead = hang;
    const asked = getEpoch();
    await vi.advanceTimersByTimeAsync(PATIENCE_MILLISECONDS);
    expect(await asked).toMatchObject({ slotIndex: 2_000, live: true, epochEndsAt: null });
  });

  it.each([
    ["goes back", at(1_999)],
    ["leaps ahead by more than an epoch", at(2_151, LATEST_EPOCH + 1)],
  ])("is carried on while the cluster %s, for ten minutes", async (_, strange) => {
    const { bench, cluster, getEpoch } = watch();
    expect(await getEpoch()).toMatchObject({ slotIndex: 2_000, live: true });
    cluster.answer = answerAt(strange);
    bench.now += 30_001;
    expect(await getEpoch()).toMatchObject({ slotIndex: 2_150, live: false });
    expect(bench.log).toHaveLength(1);
    bench.now += 570_000;
    await getEpoch();
    await vi.advanceTimersByTimeAsync(0);
    expect(await getEpoch()).toMatchObject({ ...strange, live: true });
  });

  it("does not believe a cluster that is behind the snapshot either", async () => {
    const { cluster, getEpoch } = watch();
    cluster.answer = answerAt(at(999));
    expect(await getEpoch()).toMatchObject({ slotIndex: 1_000, live: false });
  });

  it("ends at the last slot while the cluster is silent, only grows older, and believes it when it is back epochs later", async () => {
    const { bench, cluster, getReading } = watch();
    cluster.answer = fail;
    const last = { ...at(431_999), progressPercent: 100, live: false };
    const { value: first } = await getReading();
    bench.now += (SLOTS_IN_EPOCH - 1_000) * 200;
    const over = await getReading();
    expect(over).toMatchObject({ value: last, stale: true, ageSeconds: 86_200 });
    expect(over.value.epochEndsAt).toBe(new Date(bench.now).toISOString());
    bench.now += DAY;
    expect(await getReading()).toEqual({ ...over, ageSeconds: 86_200 + 86_400 });
    expect(over.value.epochEndsAt).toBe(first.epochEndsAt);
    cluster.answer = answerAt(at(5, LATEST_EPOCH + 3));
    bench.now += 30_001;
    await getReading();
    await vi.advanceTimersByTimeAsync(0);
    expect(await getReading()).toMatchObject({
      value: at(5, LATEST_EPOCH + 3),
      stale: false,
      ageSeconds: 0,
    });
  });

  it("believes a cluster that went on for many short epochs since it was read", async () => {
    const { bench, cluster, getEpoch } = watch();
    const { absoluteSlot } = at(1_050);
    const short = { slotsInEpoch: 100, slotIndex: 50 };
    cluster.answer = answerAt({ ...short, epoch: 20, absoluteSlot });
    expect(await getEpoch()).toMatchObject({ epoch: 20, live: true });
    cluster.answer = answerAt({ ...short, epoch: 40, absoluteSlot: absoluteSlot + 2_000 });
    bench.now += 400_000;
    expect(await getEpoch()).toMatchObject({ epoch: 40, live: true });
    expect(bench.log).toEqual([]);
  });

  it("is as old as its reading, when it is live too", async () => {
    const { bench, cluster, getReading } = watch();
    await getReading();
    bench.now += 14_999;
    expect(await getReading()).toMatchObject({ stale: false, ageSeconds: 0 });
    bench.now += 14_000;
    expect(await getReading()).toMatchObject({
      value: { live: true },
      stale: false,
      ageSeconds: 28,
    });
    bench.now += 1_000;
    expect(cluster.asked).toBe(1);
    await Promise.all(Array.from({ length: 20 }, getReading));
    bench.now += 2;
    await Promise.all(Array.from({ length: 20 }, getReading));
    expect(cluster.asked).toBe(2);
  });
});

describeProxy("GET /api/v1/epoch", (open) => {
  async function openEpoch(options: Parameters<typeof open>[0] = {}) {
    const { world, request } = await open(options);
    const get = (query = "") => request(`/api/v1/epoch${query}`);
    return {
      world,
      get,
      getEpoch: async (query = "") => (await readBody(await get(query), epochDocumentSchema)).data,
    };
  }

  it("reads the cluster, and measures time with the slots of the snapshot", async () => {
    const { world, get } = await openEpoch();
    world.readEpoch = answerAt(at(216_000));
    const response = await get();
    expect(response.headers.get("cache-control")).toBe(CACHE_CLASSES.epoch);
    const times = {
      epochStartedAt: "2026-11-20T00:00:00.000Z",
      epochEndsAt: "2026-11-21T00:00:00.000Z",
    };
    expect(await readBody(response, epochDocumentSchema)).toEqual({
      data: { ...at(216_000), progressPercent: 50, ...times, live: true },
      meta: { network: "mainnet" },
    });
  });

  it("answers 503 when neither cluster nor snapshot can tell", async () => {
    const { get } = await openEpoch();
    const response = await get("?network=testnet");
    await readError(response, 503, "upstream_unavailable");
    expect(response.headers.get("retry-after")).toBe("30");
  });

  it("takes the words of one network for no other", async () => {
    const { world, getEpoch } = await openEpoch();
    world.readEpoch = (network) => (network === "testnet" ? Promise.resolve(at(1, 7)) : fail());
    expect(await getEpoch("?network=testnet")).toMatchObject({ epoch: 7, live: true });
    expect(await getEpoch()).toMatchObject({ epoch: LATEST_EPOCH, live: false });
  });
});
