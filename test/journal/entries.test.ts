import { randomBytes } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { entryToJson, readEntry, writeEntry } from "../../generator/journal/entries.ts";
import { toEntryKey, toEntryName } from "../../generator/journal/names.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import { StoreError, type ObjectStore } from "../../generator/store/store.ts";
import { read } from "../ledger/panel-story.ts";
import { confirm } from "../ledger/story.ts";
import { makeCheck, makePlace, makeRuling } from "./samples.ts";

const TIME = "2026-11-20T15:30:00.125Z";
const bytes = (text: string) => new TextEncoder().encode(text);

const keysOf = async (store: ObjectStore) => {
  const keys: string[] = [];
  for await (const { key } of store.list("")) keys.push(key);
  return keys;
};

/** Puts a body where the entry of a text would lie, under the name that the text would have as a check. */
async function plant(text: string, body: Uint8Array = zstdCompressSync(bytes(text))) {
  const place = makePlace();
  const name = toEntryName({ time: TIME, kind: "check" }, bytes(text));
  await place.store.put(toEntryKey(place, name), body, { expect: "any", contentType: "application/zstd" });
  return readEntry(place, name);
}

describe("writing an entry", () => {
  test("gives back the same entry, stakes above 2^53 exact", async () => {
    const place = makePlace();
    const name = await writeEntry(place, makeCheck(TIME));
    expect(await readEntry(place, name)).toEqual({ name, entry: makeCheck(TIME) });
    expect(await keysOf(place.store)).toEqual([`journal/mainnet/0001/${name}.json.zst`]);
    expect(name).toMatch(/^2026-11-20\/153000125-check-[0-9a-f]{16}$/);
  });

  test("the same entry twice is one object, however its fields are ordered", async () => {
    const place = makePlace();
    const entry = makeCheck(TIME);
    const turned = Object.fromEntries(Object.entries(entry).reverse()) as typeof entry;
    expect(Object.keys(turned)).not.toEqual(Object.keys(entry));
    expect(await writeEntry(place, turned)).toBe(await writeEntry(place, entry));
    expect(await keysOf(place.store)).toHaveLength(1);
  });

  test("two entries of the same time and kind that differ are two objects", async () => {
    const place = makePlace();
    const names = [await writeEntry(place, makeCheck(TIME)), await writeEntry(place, makeCheck(TIME, { slot: 1_001 }))];
    expect(new Set(names).size).toBe(2);
    expect(await keysOf(place.store)).toHaveLength(2);
  });

  test("a second reading by one endpoint or by a panel is kept as it is", async () => {
    for (const entry of [
      confirm(10, [{ name: "A", bps: 500 }]),
      read(10, ["A"], { now: 9500, before: 800 }, "silent"),
    ]) {
      const place = makePlace();
      const name = await writeEntry(place, entry);
      expect(await readEntry(place, name)).toEqual({ name, entry });
    }
  });

  test("refuses what could not be read back, and writes nothing", async () => {
    const place = makePlace();
    await expect(writeEntry(place, makeCheck("2026-11-20T15:30:00Z"))).rejects.toThrow("not in UTC with milliseconds");
    await expect(writeEntry(place, makeCheck(TIME, { network: "testnet" }))).rejects.toThrow("testnet");
    await expect(writeEntry(place, makeCheck(TIME, { slot: -1 }))).rejects.toThrow("slot");
    expect(await keysOf(place.store)).toEqual([]);
  });

  test("any amount and any text come back as they were", async () => {
    const place = makePlace();
    await fc.assert(
      fc.asyncProperty(
        fc.bigInt(0n, 2n ** 64n - 1n),
        fc.string({ unit: "binary", maxLength: 200 }),
        async (stake, text) => {
          const check = makeCheck(TIME);
          check.votes[0]!.activeStake = stake;
          check.endpoint = text;
          const ruling = makeRuling(TIME, text);
          for (const entry of [check, ruling]) {
            const name = await writeEntry(place, entry);
            expect(await readEntry(place, name)).toEqual({ name, entry });
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("an entry that cannot be used is named with its reason", () => {
  const good = new TextDecoder().decode(entryToJson(makeCheck(TIME)));
  const packed = zstdCompressSync(bytes(good));

  test("as the one that is planted whole can be read", async () => {
    expect(await plant(good)).toHaveProperty("entry.slot", 1_000);
  });

  test.each([
    ["cut at its end", good, packed.subarray(0, packed.length - 1), "unexpected end"],
    ["cut in half", good, packed.subarray(0, packed.length / 2), "unexpected end"],
    ["empty", good, new Uint8Array(), "unexpected end"],
    ["not compressed", good, bytes(good), ""],
    ["random", good, randomBytes(500), ""],
    ["another entry", good, zstdCompressSync(entryToJson(makeCheck(TIME, { slot: 7 }))), "does not fit its name"],
    ["no JSON", "{", undefined, "JSON"],
    ["no object", "7", undefined, "wrong shape"],
    ["of a later format", good.replace('"format":1', '"format":3'), undefined, "it has the format 3, known is 2"],
    ["of another network", good.replace('"mainnet"', '"testnet"'), undefined, "of the network testnet"],
    ["of an unknown kind", good.replace('"check"', '"census"'), undefined, "wrong shape: kind"],
    ["short of a field", good.replace('"epoch":1,', ""), undefined, "wrong shape: epoch"],
    [
      "of another kind than its name",
      new TextDecoder().decode(entryToJson(makeRuling(TIME))),
      undefined,
      "does not fit its name",
    ],
  ])("%s", async (_, text, body, reason) => {
    const read = await plant(text, body);
    expect(read).toHaveProperty("unreadable");
    expect("unreadable" in read && read.unreadable).toContain(reason);
  });

  test("missing", async () => {
    const name = toEntryName({ time: TIME, kind: "check" }, bytes("gone"));
    expect(await readEntry(makePlace(), name)).toEqual({ name, unreadable: "the object is missing" });
  });

  test("a bomb that would unpack to 80 MB is refused", async () => {
    const bomb = zstdCompressSync(Buffer.alloc(80 * 1024 * 1024, 32));
    expect(bomb.length).toBeLessThan(20_000);
    expect(await plant(good, bomb)).toHaveProperty("unreadable", expect.stringContaining("larger than"));
  });

  test("but a store that does not answer is an error, not a damaged entry", async () => {
    const failing: ObjectStore = {
      ...openMemoryStore(),
      get: (key) => Promise.reject(new StoreError("memory:", "get", key, "time-out")),
    };
    const name = toEntryName({ time: TIME, kind: "check" }, bytes(good));
    await expect(readEntry({ ...makePlace(), store: failing }, name)).rejects.toThrow("time-out");
  });
});
