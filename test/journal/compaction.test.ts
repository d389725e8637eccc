import { zstdCompressSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { entryToJson } from "../../generator/journal/entries.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { toEntryKey, toEntryName, type JournalPlace } from "../../generator/journal/names.ts";
import type { Compaction } from "../../generator/journal/compaction.ts";
import { countOperations } from "../../generator/store/counting.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import { dieAt } from "../publish/dying.ts";
import { checkAt, DAY, DAY_END, damage, fillDay, HOUR, packOf, readTexts, tellAll } from "./packed.ts";
import { makePlace } from "./samples.ts";

const SETTLED = DAY_END + 3 * HOUR;
const NOTHING: Compaction = { packed: null, deleted: null, unreadable: [], damaged: [] };

let place: JournalPlace;
beforeEach(() => {
  place = makePlace();
});

const compact = (now: number, at: JournalPlace = place) => openJournal(at).compact({ now });

async function keysOf(store: ObjectStore, part = ""): Promise<string[]> {
  const heads = await Array.fromAsync(store.list("journal/"));
  return heads.map(({ key }) => key).filter((key) => key.includes(part));
}

const packsOf = (at = place) => keysOf(at.store, "/pack-");
const looseOf = async (at = place) => (await keysOf(at.store)).filter((key) => !key.includes("/pack-"));

/** What a call did, in short. */
const did = ({ packed, deleted }: Compaction) => [packed?.entries ?? 0, deleted?.entries ?? 0];

describe("a day", () => {
  test("is packed once it has been over for three hours, and what it tells stays the same", async () => {
    await fillDay(place, 20);
    const told = await tellAll(place);
    expect(await compact(SETTLED - 1)).toEqual(NOTHING);
    const bytes = expect.any(Number) as number;
    expect(await compact(SETTLED)).toEqual({ ...NOTHING, packed: { day: DAY, entries: 20, bytes } });
    expect(await packsOf()).toEqual([expect.stringContaining("pack-20261121T030000000Z-") as string]);
    expect(await looseOf()).toHaveLength(20);
    expect(await tellAll(place)).toEqual(told);
    expect(await compact(SETTLED + HOUR)).toEqual(NOTHING);
  });

  test("loses its loose entries when its pack is 48 hours old, and still tells the same", async () => {
    await fillDay(place, 20);
    const told = await tellAll(place);
    await compact(SETTLED);
    expect(await compact(SETTLED + 48 * HOUR - 1)).toEqual(NOTHING);
    expect(await compact(SETTLED + 48 * HOUR)).toEqual({ ...NOTHING, deleted: { day: DAY, entries: 20 } });
    expect(await looseOf()).toEqual([]);
    expect(await tellAll(place)).toEqual(told);
    expect(await compact(SETTLED + 480 * HOUR)).toEqual(NOTHING);
  });

  test("that got a late entry after it was packed has a second pack, and each keeps its own time", async () => {
    await fillDay(place, 20);
    await compact(SETTLED);
    await openJournal(place).append(checkAt(7, 5));
    const told = await tellAll(place);
    expect(did(await compact(SETTLED + 10 * HOUR))).toEqual([1, 0]);
    expect(did(await compact(SETTLED + 48 * HOUR))).toEqual([0, 20]);
    expect(await looseOf()).toHaveLength(1);
    expect(did(await compact(SETTLED + 58 * HOUR))).toEqual([0, 1]);
    expect(await packsOf()).toHaveLength(2);
    expect(await tellAll(place)).toEqual(told);
  });

  test("is done one at a time, the oldest first, and only what no pack holds is packed", async () => {
    for (const day of [1, 2, 3]) await openJournal(place).append(checkAt(day * 1440));
    const names = await fillDay(place, 3);
    await packOf(place, names.slice(0, 2), SETTLED + 24 * HOUR);
    const packed = [];
    for (let calls = 0; calls < 4; calls += 1) packed.push((await compact(DAY_END + 72 * HOUR)).packed);
    expect(packed.map((one) => [one?.day, one?.entries])).toEqual([
      [DAY, 1],
      ["2026-11-21", 1],
      ["2026-11-22", 1],
      [undefined, undefined],
    ]);
  });

  test("is not asked for again and again: a call with nothing to do is one listing", async () => {
    await fillDay(place, 20);
    await compact(SETTLED);
    const { store, counts } = countOperations(place.store);
    expect(await compact(SETTLED + HOUR, { ...place, store })).toEqual(NOTHING);
    expect(counts).toMatchObject({ lists: 1, gets: 0, puts: 0, deletes: 0 });
  });
});

describe("a loose entry that cannot be read", () => {
  test("is named, never packed and never deleted, and holds nothing up", async () => {
    const names = await fillDay(place, 20);
    const bad = names[7]!;
    await damage(place, toEntryKey(place, bad), (body) => body.subarray(0, body.length - 5));
    const told = await tellAll(place);
    const first = await compact(SETTLED);
    expect(did(first)).toEqual([19, 0]);
    expect(first.unreadable).toMatchObject([{ name: bad }]);
    await openJournal(place).append(checkAt(1440));
    expect(did(await compact(SETTLED + 24 * HOUR))).toEqual([1, 0]);
    expect(did(await compact(SETTLED + 48 * HOUR))).toEqual([0, 19]);
    expect(await looseOf()).toHaveLength(2);
    expect((await tellAll(place)).texts.slice(0, 20)).toEqual(told.texts);
  });

  const json = new TextDecoder().decode(entryToJson(checkAt(7)));
  /** Puts a text where the entry of another would lie. */
  async function plant(text: string, hashed = text): Promise<string> {
    const [bytes, named] = [text, hashed].map((one) => new TextEncoder().encode(one)) as [Uint8Array, Uint8Array];
    const name = toEntryName({ time: checkAt(7).time, kind: "check" }, named);
    const key = toEntryKey(place, name);
    await place.store.put(key, zstdCompressSync(bytes), { expect: "any", contentType: "application/zstd" });
    return name;
  }

  test.each([
    ["of a newer format", json.replace('"format":1', '"format":3'), "a newer version wrote it"],
    ["of another network", json.replace("mainnet", "testnet"), "of the network testnet"],
    ["changed", json.replace('"slot":1007', '"slot":1008'), "its content does not fit its name"],
    ["another one's", new TextDecoder().decode(entryToJson(checkAt(8))), "its content does not fit its name"],
    ["foreign", '{"hello":1}', "the wrong shape"],
  ])("because it is %s is named and left alone", async (_, text, reason) => {
    await fillDay(place, 5);
    const name = await plant(text, reason.includes("fit its name") ? json : text);
    const key = toEntryKey(place, name);
    const compaction = await compact(SETTLED);
    expect(did(compaction)).toEqual([5, 0]);
    expect(compaction.unreadable).toEqual([{ name, unreadable: expect.stringContaining(reason) as string }]);
    await compactAll(place, SETTLED);
    expect(await looseOf()).toEqual([key]);
  });

  test("by a line reader, because its JSON has several lines, stays loose, and is read", async () => {
    const name = await plant(JSON.stringify(JSON.parse(json), null, 1));
    await compactAll(place, SETTLED);
    expect(await looseOf()).toEqual([toEntryKey(place, name)]);
    expect(await readTexts(place, [name])).toEqual([[name, json]]);
  });
});

describe("a pack that does not read back", () => {
  const HARM: [string, (body: Uint8Array) => Uint8Array][] = [
    ["is cut", (body) => body.subarray(0, body.length - 3)],
    ["is cut in half", (body) => body.subarray(0, body.length >> 1)],
    ["is empty", () => new Uint8Array()],
    ["has a flipped bit", (body) => body.with(body.length >> 1, body[body.length >> 1]! ^ 1)],
    ["has a flipped bit in its checksum", (body) => body.with(body.length - 1, body.at(-1)! ^ 1)],
    ["has more behind it", (body) => Buffer.concat([body, body])],
  ];
  test.each(HARM)("because it %s costs no entry: they are packed again, and 48 hours begin anew", async (_, change) => {
    await fillDay(place, 60);
    const told = await tellAll(place);
    await compact(SETTLED);
    const [key] = await packsOf();
    await damage(place, key!, change);
    const found = await compact(SETTLED + 48 * HOUR);
    expect(did(found)).toEqual([60, 0]);
    expect(found.damaged).toMatchObject([{ key }]);
    expect(await looseOf()).toHaveLength(60);
    expect(await compact(SETTLED + 95 * HOUR)).toEqual(NOTHING);
    expect(did(await compact(SETTLED + 96 * HOUR))).toEqual([0, 60]);
    expect({ ...(await tellAll(place)), unreadable: [] }).toEqual(told);
  });

  test("of a clock far ahead holds nothing up", async () => {
    const names = await fillDay(place, 5);
    await packOf(place, names, Date.parse("2099-01-01T00:00:00.000Z"));
    expect(did(await compact(SETTLED))).toEqual([5, 0]);
    expect(did(await compact(SETTLED + 48 * HOUR))).toEqual([0, 5]);
  });
});

/** A store with the same objects. */
async function fork(from: ObjectStore): Promise<ObjectStore> {
  const store = openMemoryStore();
  for await (const { key } of from.list("")) {
    const { body } = (await from.get(key))!;
    await store.put(key, body, { expect: "any", contentType: "application/zstd" });
  }
  return store;
}

/** Compacts until nothing is due any more, at once and two days later. */
async function compactAll(at: JournalPlace, now: number): Promise<void> {
  for (const time of [now, now + 48 * HOUR]) {
    for (;;) if (did(await compact(time, at)).every((count) => count === 0)) break;
  }
}

describe("whatever dies, and however many do it", () => {
  /** A day half packed by another process, and with a late entry; and the day after it. */
  async function prepare(): Promise<void> {
    const names = await fillDay(place, 6);
    await packOf(place, names.slice(0, 3), SETTLED - HOUR);
    await openJournal(place).append(checkAt(3, 5));
    for (const minute of [1440, 1441, 1442]) await openJournal(place).append(checkAt(minute));
  }

  const CALLS = [SETTLED, SETTLED + 24 * HOUR, SETTLED + 48 * HOUR, SETTLED + 72 * HOUR];
  test.each([
    ["marks and packs a late part of a day", 0, 24],
    ["packs the day after it", 1, 14],
    ["deletes what two packs hold", 2, 24],
    ["deletes the rest", 3, 10],
  ])(
    "a death at any operation of a call that %s, before or after it took effect, loses nothing, and the next calls finish",
    async (_, index, expected) => {
      await prepare();
      const told = await tellAll(place);
      for (const now of CALLS.slice(0, index)) await compact(now);
      const now = CALLS[index]!;
      const operations = await countOf(now);
      for (const isDone of [false, true]) {
        for (let k = 1; k <= operations; k += 1) {
          const stateStore = await fork(place.store);
          const dying = dieAt({ publicStore: openMemoryStore(), stateStore }, k, { isDone });
          await expect(compact(now, { ...place, store: dying.stateStore })).rejects.toThrow("died");
          const after = { ...place, store: stateStore };
          expect(await tellAll(after), `operation ${k}`).toEqual(told);
          await compactAll(after, now + 24 * HOUR);
          expect(await tellAll(after), `operation ${k}`).toEqual(told);
          expect(await looseOf(after)).toEqual([]);
        }
      }
      expect(2 * operations).toBe(expected);
    },
  );

  /** Operations of a call that nothing happens to. */
  async function countOf(now: number): Promise<number> {
    const stores = { publicStore: openMemoryStore(), stateStore: await fork(place.store) };
    const living = dieAt(stores, Infinity, { isDone: true });
    await compact(now, { ...place, store: living.stateStore });
    return living.operations();
  }

  test("two at once, with clocks an hour apart, end as one does", async () => {
    await prepare();
    const told = await tellAll(place);
    for (let now = SETTLED; now < SETTLED + 120 * HOUR; now += 8 * HOUR) {
      await Promise.all([compact(now), compact(now + HOUR)]);
      expect(await tellAll(place)).toEqual(told);
    }
    expect(await looseOf()).toEqual([]);
  });

  test("writes and deletions that take effect long after their writer died change nothing", async () => {
    await prepare();
    const told = await tellAll(place);
    const later: (() => Promise<unknown>)[] = [];
    const dying: ObjectStore = {
      ...place.store,
      put: (...asked) => {
        later.push(() => place.store.put(...asked));
        return Promise.reject(new Error("the process died"));
      },
      delete: (key) => {
        later.push(() => place.store.delete(key));
        return Promise.reject(new Error("the process died"));
      },
    };
    await expect(compact(SETTLED, { ...place, store: dying })).rejects.toThrow("died");
    await compact(SETTLED + HOUR);
    await expect(compact(SETTLED + 50 * HOUR, { ...place, store: dying })).rejects.toThrow("died");
    expect(later.length).toBeGreaterThan(1);
    await compactAll(place, SETTLED + 72 * HOUR);
    // An entry whose acknowledgement was lost may be put once more, too.
    later.push(() => openJournal(place).append(checkAt(3)));
    for (const apply of later) {
      await apply();
      expect(await tellAll(place)).toEqual(told);
    }
    await compactAll(place, SETTLED + 96 * HOUR);
    expect(await tellAll(place)).toEqual(told);
    expect(await looseOf()).toEqual([]);
  });
});
