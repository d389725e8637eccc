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

const acquire = (holder: string) =>
  acquireLease({ stateStore, network: "mainnet", holder, now: () => time });
async function acquired(holder: string): Promise<Lease> {
  const lease = await acquire(holder);
  if ("otherHolder" in lease) throw new Error(`${lease.otherHolder} holds the lease`);
  return lease;
}
const read = async () =>
  JSON.parse(Buffer.from((await stateStore.get(KEY))?.body ?? "null").toString()) as unknown;

test("one holds it for two minutes, the other learns who does; the same one takes its own again", async () => {
  await acquired("one");
  await acquired("one");
  expect(await read()).toEqual({ holder: "one", until: "2026-11-20T15:32:00.000Z" });
  time += 119_999;
  expect(await acquire("two")).toEqual({ otherHolder: "one" });
  time += 1;
  await acquired("two");
  expect(await read()).toEqual({ holder: "two", until: "2026-11-20T15:34:00.000Z" });
});

test("exactly one of many that ask at once gets it", async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => acquire(`holder ${index}`)),
  );
  expect(answers.filter((answer) => !("otherHolder" in answer))).toHaveLength(1);
});

test("given back, it is free at once; who lost it does not give back what is another's", async () => {
  const lease = await acquired("one");
  await lease.release();
  expect(await read()).toBeNull();
  const lost = await acquired("one");
  time += 120_000;
  await acquired("two");
  await lost.release();
  expect(await read()).toMatchObject({ holder: "two" });
});

test("one that is given back while another looks at it is free", async () => {
  await acquired("one");
  const shared = stateStore;
  stateStore = { ...shared, get: (key) => shared.delete(key).then(() => shared.get(key)) };
  expect(await acquire("two")).toMatchObject({ damaged: null });
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

test.each([
  ["is no JSON", "{", KEY],
  ["has another shape", '{"holder":1}', KEY],
  ["runs until no time", '{"holder":"one","until":"soon"}', KEY],
  [
    "runs for hours, from a wrong clock",
    '{"holder":"one","until":"2026-11-20T23:00:00.000Z"}',
    null,
  ],
])(
  "one that %s holds nobody back, and is set aside where it cannot be read",
  async (_, text, damaged) => {
    await stateStore.put(KEY, Buffer.from(text), {
      expect: "any",
      contentType: "application/json",
    });
    expect(await acquired("two")).toMatchObject({ damaged });
    expect(await read()).toMatchObject({ holder: "two" });
    expect(await Array.fromAsync(stateStore.list(`quarantine/${KEY}/`))).toHaveLength(
      damaged === null ? 0 : 1,
    );
  },
);
