import { expect, test } from "vitest";
import { readSeries, startSeries } from "../../generator/journal/series.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";

const first = {
  network: "alpenglow",
  genesis: "GenesisOne111111111111111111111111111111111",
  since: "2026-11-20T00:00:00.000Z",
} as const;
const second = { ...first, genesis: "GenesisTwo111111111111111111111111111111111", since: "2026-11-21T00:00:00.000Z" };

test("a network never observed has no series", async () => {
  expect(await readSeries(openMemoryStore(), "alpenglow")).toEqual([]);
});

test("each genesis begins the next series and the old ones stay", async () => {
  const store = openMemoryStore();
  expect(await startSeries(store, first)).toEqual({ series: 1, genesis: first.genesis, since: first.since });
  expect(await startSeries(store, second)).toMatchObject({ series: 2, genesis: second.genesis });
  expect((await readSeries(store, "alpenglow")).map(({ series, genesis }) => [series, genesis])).toEqual([
    [1, first.genesis],
    [2, second.genesis],
  ]);
  expect(await readSeries(store, "mainnet")).toEqual([]);
});

test("the same genesis goes on with the series it has", async () => {
  const store = openMemoryStore();
  await startSeries(store, first);
  expect(await startSeries(store, { ...first, since: second.since })).toMatchObject({ series: 1, since: first.since });
  expect(await readSeries(store, "alpenglow")).toHaveLength(1);
});

test("generators that meet a new cluster at once agree, or one says so", async () => {
  const store = openMemoryStore();
  const same = await Promise.all([startSeries(store, first), startSeries(store, first)]);
  expect(same.map(({ series }) => series)).toEqual([1, 1]);
  const other = openMemoryStore();
  const results = await Promise.allSettled([startSeries(other, first), startSeries(other, second)]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(await readSeries(other, "alpenglow")).toHaveLength(1);
});

test("a list that cannot be read stops everything rather than begin anew", async () => {
  const store = openMemoryStore();
  await store.put("series/alpenglow.json", new TextEncoder().encode("[{"), {
    expect: "any",
    contentType: "application/json",
  });
  await expect(readSeries(store, "alpenglow")).rejects.toThrow("series/alpenglow.json in memory: cannot be read");
  await expect(startSeries(store, first)).rejects.toThrow("cannot be read");
});
