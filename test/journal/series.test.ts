import { expect, test } from "vitest";
import { readSeries, startSeries } from "../../generator/journal/series.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import type { ObjectStore } from "../../generator/store/store.ts";

const first = {
  network: "alpenglow",
  genesis: "GenesisOne111111111111111111111111111111111",
  since: "2026-11-20T00:00:00.000Z",
} as const;
const second = {
  ...first,
  genesis: "GenesisTwo111111111111111111111111111111111",
  since: "2026-11-21T00:00:00.000Z",
};

test("each genesis begins the next series, the same goes on with the one it has, and the old ones stay", async () => {
  const store = openMemoryStore();
  expect(await readSeries(store, "alpenglow")).toEqual([]);
  expect(await startSeries(store, first)).toEqual({
    series: 1,
    genesis: first.genesis,
    since: first.since,
  });
  expect(await startSeries(store, { ...first, since: second.since })).toMatchObject({
    series: 1,
    since: first.since,
  });
  expect(await startSeries(store, second)).toMatchObject({ series: 2, genesis: second.genesis });
  expect(
    (await readSeries(store, "alpenglow")).map(({ series, genesis }) => [series, genesis]),
  ).toEqual([
    [1, first.genesis],
    [2, second.genesis],
  ]);
  expect(await readSeries(store, "mainnet")).toEqual([]);
});

test("generators that meet the next genesis at once agree too, and none undoes what another began", async () => {
  const store = openMemoryStore();
  await startSeries(store, first);
  const third = { ...second, genesis: "GenesisThree1111111111111111111111111111111" };
  const results = await Promise.allSettled(
    [second, third, second].map((one) => startSeries(store, one)),
  );
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect((await readSeries(store, "alpenglow")).map(({ genesis }) => genesis)).toEqual([
    first.genesis,
    second.genesis,
  ]);
});

test("a write that takes effect when its writer is long dead brings no old list back", async () => {
  const store = openMemoryStore();
  await startSeries(store, first);
  const delayed: (() => Promise<unknown>)[] = [];
  const dying: ObjectStore = {
    ...store,
    put(...asked) {
      delayed.push(() => store.put(...asked));
      return Promise.reject(new Error("the process died"));
    },
  };
  await expect(startSeries(dying, second)).rejects.toThrow("died");
  const third = { ...second, genesis: "GenesisThree1111111111111111111111111111111" };
  await startSeries(store, third);
  for (const apply of delayed) expect(await apply()).toBeNull();
  expect((await readSeries(store, "alpenglow")).map(({ genesis }) => genesis)).toEqual([
    first.genesis,
    third.genesis,
  ]);
});

const put = (store: ObjectStore, key: string, text: string) =>
  store.put(key, new TextEncoder().encode(text), {
    expect: "any",
    contentType: "application/json",
  });

test.each([
  ["cut", '{"series":1,'],
  ["empty", ""],
  ["another one's", JSON.stringify({ series: 2, genesis: first.genesis, since: first.since })],
  ["foreign", "[]"],
])("a series that is %s stops everything rather than begin anew", async (_, text) => {
  const store = openMemoryStore();
  await put(store, "series/alpenglow/0001.json", text);
  await expect(readSeries(store, "alpenglow")).rejects.toThrow(
    "series/alpenglow/0001.json in memory: cannot be read",
  );
  await expect(startSeries(store, first)).rejects.toThrow("cannot be read");
});

test.each(["series/alpenglow/0003.json", "series/alpenglow/0001.json.old"])(
  "%s where it does not belong stops everything, for one before it may be lost",
  async (key) => {
    const store = openMemoryStore();
    await startSeries(store, first);
    await put(
      store,
      key,
      JSON.stringify({ series: 3, genesis: second.genesis, since: second.since }),
    );
    await expect(readSeries(store, "alpenglow")).rejects.toThrow(`${key} is in memory: where`);
  },
);
