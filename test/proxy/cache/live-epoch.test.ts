import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EpochInfo } from "../../../generator/rpc/epoch.ts";
import { createLiveEpoch, LIVE_DEADLINE_MILLISECONDS } from "../../../proxy/cache/live-epoch.ts";
import { PATIENCE_MILLISECONDS } from "../../../proxy/cache/revalidate.ts";
import { LATEST_EPOCH, makeIndex, publish } from "../fixtures.ts";
import { openBench } from "./_held.ts";

const SLOTS_IN_EPOCH = 432_000;
const FIRST_SLOT = LATEST_EPOCH * SLOTS_IN_EPOCH;
/** A slot takes 200 ms, and the snapshot is of the slot with the index 1,000. */
const INDEX = publish("index", {}, makeIndex());

function at(slotIndex: number, epoch = LATEST_EPOCH): EpochInfo {
  return { epoch, slotIndex, slotsInEpoch: SLOTS_IN_EPOCH, absoluteSlot: epoch * SLOTS_IN_EPOCH + slotIndex };
}

function watch(published = [INDEX]) {
  const bench = openBench(published);
  const cluster = { asked: 0, answer: (): Promise<EpochInfo> => Promise.resolve(at(2_000)) };
  const { snapshots, log } = bench;
  const liveEpoch = createLiveEpoch({
    snapshots,
    now: () => bench.now,
    log: (entry) => void log.push(entry),
    readEpoch() {
      cluster.asked += 1;
      return cluster.answer();
    },
  });
  return {
    bench,
    cluster,
    getReading: () => liveEpoch.get("mainnet"),
    getEpoch: async () => (await liveEpoch.get("mainnet")).value,
  };
}

const hang = () => new Promise<never>(() => undefined);
const fail = () => Promise.reject(new Error("silent"));

describe("the live epoch", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  it("waits a moment, not the whole deadline, for a cluster that hangs, and then for as long as it does not at all", async () => {
    const { bench, cluster, getEpoch } = watch();
    await bench.snapshots.get("mainnet");
    cluster.answer = hang;
    let answered = 0;
    const asked = [getEpoch(), getEpoch()].map((answer) => answer.finally(() => (answered += 1)));
    await vi.advanceTimersByTimeAsync(PATIENCE_MILLISECONDS - 1);
    expect(answered).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    for (const epoch of await Promise.all(asked)) expect(epoch).toMatchObject({ slotIndex: 1_000, live: false });
    await vi.advanceTimersByTimeAsync(LIVE_DEADLINE_MILLISECONDS);
    bench.now += 30_000;
    expect(await getEpoch()).toMatchObject({ slotIndex: 1_150, live: false });
    expect(cluster.asked).toBe(2);
    expect(bench.log).toMatchObject([{ message: "cannot read the epoch of mainnet, keeping what is held" }]);
  });

  it("is live again with the first request after the cluster answered behind an estimate", async () => {
    const { bench, cluster, getEpoch } = watch();
    cluster.answer = fail;
    expect(await getEpoch()).toMatchObject({ live: false });
    cluster.answer = () => Promise.resolve(at(2_000));
    bench.now += 30_000;
    expect(await getEpoch()).toMatchObject({ slotIndex: 1_150, live: false });
    await vi.advanceTimersByTimeAsync(0);
    expect(await getEpoch()).toMatchObject({ slotIndex: 2_000, live: true });
    expect(cluster.asked).toBe(2);
  });

  it("asks again although a reading failed before it began", async () => {
    const { bench, cluster, getEpoch } = watch();
    cluster.answer = () => {
      throw new Error("no endpoint");
    };
    expect(await getEpoch()).toMatchObject({ live: false });
    cluster.answer = () => Promise.resolve(at(2_000));
    bench.now += 30_000;
    await getEpoch();
    await vi.advanceTimersByTimeAsync(0);
    expect(await getEpoch()).toMatchObject({ live: true });
  });

  it("waits the whole deadline when nothing else can tell, and says then that nothing can", async () => {
    const { bench, cluster, getEpoch } = watch([]);
    cluster.answer = hang;
    const refused = expect(getEpoch()).rejects.toMatchObject({ code: "upstream_unavailable" });
    await vi.advanceTimersByTimeAsync(LIVE_DEADLINE_MILLISECONDS);
    await refused;
    expect(bench.log).toMatchObject([
      { message: "cannot read the epoch of mainnet, with nothing held to answer from" },
    ]);
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
    cluster.answer = () => Promise.resolve(strange);
    bench.now += 30_000;
    expect(await getEpoch()).toMatchObject({ slotIndex: 2_150, live: false });
    expect(bench.log).toHaveLength(1);
    bench.now += 570_000;
    await getEpoch();
    await vi.advanceTimersByTimeAsync(0);
    expect(await getEpoch()).toMatchObject({ slotIndex: strange.slotIndex, epoch: strange.epoch, live: true });
  });

  it("does not believe a cluster that is behind the snapshot either", async () => {
    const { cluster, getEpoch } = watch();
    cluster.answer = () => Promise.resolve(at(999));
    expect(await getEpoch()).toMatchObject({ slotIndex: 1_000, live: false });
  });

  it("ends at the last slot of the epoch while the cluster is silent, and a day later is no further, but a day older", async () => {
    const { bench, cluster, getReading } = watch();
    cluster.answer = fail;
    const last = { epoch: LATEST_EPOCH, slotIndex: 431_999, progressPercent: 100, live: false };
    const seconds = ((SLOTS_IN_EPOCH - 1_001) * 200) / 1_000;
    const reading = await getReading();
    bench.now += seconds * 1_000;
    expect(await getReading()).toMatchObject({ value: last, stale: true, ageSeconds: Math.floor(seconds) });
    bench.now += 200;
    const over = await getReading();
    expect(over).toMatchObject({ value: last, stale: true });
    expect(over.value.absoluteSlot).toBe(FIRST_SLOT + SLOTS_IN_EPOCH - 1);
    expect(over.value.epochEndsAt).toBe(new Date(bench.now).toISOString());
    bench.now += 86_400_000;
    const later = await getReading();
    expect(later).toEqual({ ...over, ageSeconds: Math.floor(seconds + 0.2) + 86_400 });
    expect(later.value.epochEndsAt).toBe(reading.value.epochEndsAt);
  });

  it("believes a cluster that comes back some epochs later", async () => {
    const { bench, cluster, getReading } = watch();
    cluster.answer = fail;
    await getReading();
    bench.now += 3 * 86_400_000;
    await getReading();
    cluster.answer = () => Promise.resolve(at(5, LATEST_EPOCH + 3));
    bench.now += 30_000;
    await getReading();
    await vi.advanceTimersByTimeAsync(0);
    expect(await getReading()).toMatchObject({ value: at(5, LATEST_EPOCH + 3), stale: false, ageSeconds: 0 });
  });

  it("believes a cluster that went on for many short epochs since it was read", async () => {
    const { bench, cluster, getEpoch } = watch();
    const short = { slotsInEpoch: 100, slotIndex: 50 };
    cluster.answer = () => Promise.resolve({ ...short, epoch: 20, absoluteSlot: FIRST_SLOT + 1_050 });
    expect(await getEpoch()).toMatchObject({ epoch: 20, live: true });
    cluster.answer = () => Promise.resolve({ ...short, epoch: 40, absoluteSlot: FIRST_SLOT + 3_050 });
    bench.now += 400_000;
    expect(await getEpoch()).toMatchObject({ epoch: 40, live: true });
    expect(bench.log).toEqual([]);
  });

  it("is as old as its reading, when it is live too", async () => {
    const { bench, getReading } = watch();
    await getReading();
    bench.now += 14_999;
    expect(await getReading()).toMatchObject({ stale: false, ageSeconds: 0 });
    bench.now += 14_000;
    expect(await getReading()).toMatchObject({ value: { live: true }, stale: false, ageSeconds: 28 });
  });

  it("is read anew when the clock was set back", async () => {
    const { bench, cluster, getEpoch } = watch();
    await getEpoch();
    bench.now -= 3_600_000;
    await getEpoch();
    expect(cluster.asked).toBe(2);
  });
});
