import { describe, expect, it } from "vitest";
import {
  createCache,
  FRESH_MILLISECONDS,
  OVERDUE_MILLISECONDS,
  RETRY_MILLISECONDS,
  toAgeHeaders,
  toJointAge,
} from "../../../proxy/cache/cache.ts";
import type { LogEntry } from "../../../proxy/log.ts";
import { settle } from "./_bench.ts";

const HOUR = 3_600_000;
const KEY = "key";

/** A cache whose readings end when the test says so. */
function open({
  bound = { max: 10 },
  ...options
}: Partial<
  Pick<Parameters<typeof createCache<string, null>>[0], "bound" | "isEmpty" | "readsBehind">
> = {}) {
  const source = {
    now: 1_000_000,
    readings: [] as PromiseWithResolvers<string>[],
    /** What was held at each reading. */
    held: [] as (string | undefined)[],
    log: [] as LogEntry[],
    /** Ends the newest reading. */
    async give(value: string): Promise<void> {
      source.readings.at(-1)?.resolve(value);
      await settle();
    },
    async fail(): Promise<void> {
      source.readings.at(-1)?.reject(new Error("down"));
      await settle();
    },
  };
  const cache = createCache<string, null>({
    describe: (key) => `the source of ${key}`,
    bound,
    ...options,
    steadyNow: () => source.now,
    log: (entry) => void source.log.push(entry),
    load(_, held) {
      const reading = Promise.withResolvers<string>();
      source.readings.push(reading);
      source.held.push(held);
      return reading.promise;
    },
  });
  const get = (forceRefresh = false, key = KEY) => cache.get(key, null, forceRefresh);
  return { cache, get, source };
}

/** The same with a value read already. */
async function openWithValue(options?: Parameters<typeof open>[0]) {
  const { cache, get, source } = open(options);
  const first = get();
  await source.give("old");
  expect(await first).toEqual({ value: "old", stale: false, ageSeconds: 0 });
  return { cache, get, source };
}

describe("a held value", () => {
  it("is read once for all who ask while nothing is held", async () => {
    const { get, source } = open();
    const asked = Array.from({ length: 1_000 }, () => get());
    await source.give("value");
    expect(new Set((await Promise.all(asked)).map(({ value }) => value))).toEqual(
      new Set(["value"]),
    );
    expect(source.readings).toHaveLength(1);
  });

  it("is served at once while it is read anew, with its age from then on", async () => {
    const { get, source } = await openWithValue();
    source.now += FRESH_MILLISECONDS - 1;
    expect(await get()).toEqual({ value: "old", stale: false, ageSeconds: 0 });
    expect(source.readings).toHaveLength(1);
    source.now += 2;
    for (let time = 0; time < 2; time++)
      expect(await get()).toEqual({ value: "old", stale: false, ageSeconds: 15 });
    expect([source.readings.length, source.held]).toEqual([2, [undefined, "old"]]);
    await source.give("new");
    expect(await get()).toEqual({ value: "new", stale: false, ageSeconds: 0 });
  });

  it("counts its age from when the source was asked, not from when it had answered", async () => {
    const { get, source } = open();
    const first = get();
    source.now += 4_000;
    await source.give("value");
    await first;
    source.now += 11_500;
    expect(await get()).toMatchObject({ ageSeconds: 15 });
  });

  it("is waited for when it is a minute old, or where a new one is asked for", async () => {
    const { get, source } = await openWithValue();
    for (const [later, forceRefresh] of [
      [OVERDUE_MILLISECONDS, false],
      [1, true],
    ] as const) {
      source.now += later;
      const asked = [get(forceRefresh), get(forceRefresh)];
      await source.give(`new after ${later}`);
      for (const cached of await Promise.all(asked))
        expect(cached).toEqual({ value: `new after ${later}`, stale: false, ageSeconds: 0 });
    }
    expect(source.readings).toHaveLength(3);
  });

  it("is served, however old, while the source fails: marked stale, with its age", async () => {
    const { get, source } = await openWithValue();
    for (let hours = 1; hours <= 3; hours++) {
      source.now += HOUR;
      const asked = get();
      await source.fail();
      expect(await asked).toEqual({ value: "old", stale: true, ageSeconds: hours * 3_600 });
    }
    // Nobody waits for a source that failed last time.
    source.now += HOUR;
    expect(await get()).toEqual({ value: "old", stale: true, ageSeconds: 4 * 3_600 });
    await source.give("new");
    expect(await get()).toEqual({ value: "new", stale: false, ageSeconds: 0 });
  });

  it("is tried again two seconds after a failure, not sooner, with or without a value", async () => {
    for (const { get, source } of [open(), await openWithValue()]) {
      source.now += FRESH_MILLISECONDS + 1;
      const asked = get().catch(() => undefined);
      await source.fail();
      await asked;
      const tries = source.readings.length;
      source.now += RETRY_MILLISECONDS;
      await get().catch(() => undefined);
      expect(source.readings).toHaveLength(tries);
      source.now += 1;
      void get().catch(() => undefined);
      expect(source.readings).toHaveLength(tries + 1);
    }
  });

  it("is waited for, also after a failure, where the process stands still between requests", async () => {
    const { get, source } = await openWithValue({ readsBehind: false });
    source.now += FRESH_MILLISECONDS + 1;
    const failed = get();
    await source.fail();
    expect(await failed).toMatchObject({ value: "old", stale: true });
    source.now += RETRY_MILLISECONDS + 1;
    const asked = get();
    await source.give("new");
    expect(await asked).toEqual({ value: "new", stale: false, ageSeconds: 0 });
  });

  it("is asked for again two seconds later, and waited for, if it is nothing yet", async () => {
    const { get, source } = await openWithValue({ isEmpty: (value) => value === "old" });
    source.now += RETRY_MILLISECONDS + 1;
    const asked = get();
    await source.give("new");
    expect(await asked).toEqual({ value: "new", stale: false, ageSeconds: 0 });
    source.now += RETRY_MILLISECONDS + 1;
    await get();
    expect(source.readings).toHaveLength(2);
  });

  it("is not asked for anew just after a failure, whoever insists", async () => {
    const { get, source } = await openWithValue();
    const failed = get(true);
    await source.fail();
    await failed;
    expect(await get(true)).toMatchObject({ value: "old", stale: true });
    expect(source.readings).toHaveLength(2);
    source.now += RETRY_MILLISECONDS + 1;
    void get(true);
    expect(source.readings).toHaveLength(3);
  });

  it("is what the source threw while nothing was ever read", async () => {
    const { get, source } = open();
    const refused = expect(get()).rejects.toThrow("down");
    await source.fail();
    await refused;
    await expect(get()).rejects.toThrow("down");
    expect(source.readings).toHaveLength(1);
  });

  it("is bounded by bytes: the one asked for longest ago goes, and who waits for it gets it", async () => {
    const { cache, get, source } = open({
      bound: { maxSize: 100, toSize: (value) => value?.length ?? 1 },
    });
    for (const key of ["a", "b", "a", "c"]) {
      const asked = get(false, key);
      if (source.readings.length < 3 || key === "c") await source.give(key.repeat(40));
      expect((await asked).value).toBe(key.repeat(40));
    }
    expect(["a", "b", "c"].map(cache.isCached)).toEqual([true, false, true]);
    expect(cache.getBytes()).toBe(80);
    const large = get(false, "large");
    await source.give("x".repeat(101));
    expect((await large).value).toHaveLength(101);
    expect(cache.isCached("large")).toBe(false);
  });
});

it("an outage of an hour is a line a minute, which says how much failed and whether something is held", async () => {
  const { get, source } = await openWithValue();
  source.now += FRESH_MILLISECONDS + 1;
  for (let second = 0; second < 3_600; second += 3) {
    await get();
    await source.fail();
    source.now += 3_000;
  }
  expect(source.log).toHaveLength(60);
  const message = "cannot read the source of key, serving what is cached";
  expect(source.log[1]).toMatchObject({ level: "warn", message, fields: { failures: 20 } });
  const cold = open();
  const refused = expect(cold.get()).rejects.toThrow();
  await cold.source.fail();
  await refused;
  expect(cold.source.log).toMatchObject([
    { message: "cannot read the source of key, with nothing cached" },
  ]);
});

it.each([
  [{ stale: false, ageSeconds: 0 }, { stale: false, ageSeconds: 0 }, []],
  [
    { stale: true, ageSeconds: 20 },
    { stale: false, ageSeconds: 30 },
    [
      ["x-data-stale", "true"],
      ["age", "30"],
    ],
  ],
  [
    { stale: false, ageSeconds: 20 },
    { stale: true, ageSeconds: 0 },
    [
      ["x-data-stale", "true"],
      ["age", "20"],
    ],
  ],
])("what rests on two values is as old as the older one: %j and %j", (one, other, headers) => {
  expect(toAgeHeaders(toJointAge(one, other))).toEqual(headers);
});
