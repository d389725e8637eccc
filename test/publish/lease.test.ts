import { beforeEach, expect, test } from "vitest";
import { acquireLease, type Lease } from "../../generator/publish/lease.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import type { ObjectStore } from "../../generator/store/store.ts";

const KEY = "lease/mainnet.json";
let stateStore: ObjectStore;
let time: number;
beforeEach(() => {
  stateStore = openMemoryStore();
  time = Date.parse("2026-11-20T15:30:00.000Z");
});

const acquire = (holder: string) => acquireLease({ stateStore, network: "mainnet", holder, now: () => time });
async function acquired(holder: string): Promise<Lease> {
  const lease = await acquire(holder);
  if ("heldBy" in lease) throw new Error(`held by ${lease.heldBy}`);
  return lease;
}
const read = async () => {
  const object = await stateStore.get(KEY);
  return object === null ? null : (JSON.parse(Buffer.from(object.body).toString()) as unknown);
};
const plant = (text: string) =>
  stateStore.put(KEY, Buffer.from(text), { expect: "any", contentType: "application/json" });

test("one holds it for two minutes, the other is told who", async () => {
  await acquired("one");
  expect(await read()).toEqual({ holder: "one", until: "2026-11-20T15:32:00.000Z" });
  time += 119_999;
  expect(await acquire("two")).toEqual({ heldBy: "one" });
  time += 1;
  await acquired("two");
  expect(await read()).toEqual({ holder: "two", until: "2026-11-20T15:34:00.000Z" });
});

test("exactly one of many that ask at once gets it", async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => acquire(`holder ${index}`)));
  expect(answers.filter((answer) => !("heldBy" in answer))).toHaveLength(1);
});

test("given back, it is free at once", async () => {
  const lease = await acquired("one");
  await lease.release();
  expect(await read()).toBeNull();
  await acquired("two");
});

test("one who lost it does not give back what is another's", async () => {
  const lease = await acquired("one");
  time += 120_000;
  await acquired("two");
  await lease.release();
  expect(await read()).toMatchObject({ holder: "two" });
});

test("it is extended only when half of its time has passed", async () => {
  const lease = await acquired("one");
  time += 59_999;
  await lease.extend();
  expect(await read()).toMatchObject({ until: "2026-11-20T15:32:00.000Z" });
  time += 1;
  await Promise.all([lease.extend(), lease.extend()]);
  expect(await read()).toMatchObject({ until: "2026-11-20T15:33:00.000Z" });
});

test("the same holder takes its own again", async () => {
  await acquired("one");
  await acquired("one");
});

test.each([
  ["is no JSON", "{"],
  ["has another shape", '{"holder":1}'],
  ["runs until no time", '{"holder":"one","until":"soon"}'],
  ["runs for hours, from a wrong clock", '{"holder":"one","until":"2026-11-20T23:00:00.000Z"}'],
])("one that %s holds nobody back", async (_, text) => {
  await plant(text);
  await acquired("two");
  expect(await read()).toMatchObject({ holder: "two" });
});
