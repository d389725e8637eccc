import { zstdCompressSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import type { Compaction } from "../../generator/journal/compaction.ts";
import { entryToJson } from "../../generator/journal/entries.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { toEntryKey, toEntryName, type JournalPlace } from "../../generator/journal/names.ts";
import { countOperations } from "../../generator/store/counting.ts";
import { compact, compactAll, did, looseOf, packsOf, SETTLED } from "./compacting.ts";
import { checkAt, DAY, DAY_END, damage, fillDay, HOUR, packOf, readTexts, tellAll } from "./packed.ts";
import { makePlace } from "./samples.ts";

const NOTHING: Compaction = { packed: null, deleted: null, unreadable: [], damaged: [] };

let place: JournalPlace;
beforeEach(() => {
  place = makePlace();
});

describe("a day", () => {
  test("is packed once it has been over for three hours, and is loose no more 48 hours later; what it tells stays", async () => {
    await fillDay(place, 20);
    const told = await tellAll(place);
    const packed = { day: DAY, entries: 20, bytes: expect.any(Number) as number };
    const calls: [number, Partial<Compaction>, looseAfter: number][] = [
      [SETTLED - 1, {}, 20],
      [SETTLED, { packed }, 20],
      [SETTLED + HOUR, {}, 20],
      [SETTLED + 48 * HOUR - 1, {}, 20],
      [SETTLED + 48 * HOUR, { deleted: { day: DAY, entries: 20 } }, 0],
      [SETTLED + 480 * HOUR, {}, 0],
    ];
    for (const [now, done, looseAfter] of calls) {
      expect(await compact(place, now)).toEqual({ ...NOTHING, ...done });
      expect(await looseOf(place)).toHaveLength(looseAfter);
      expect(await tellAll(place)).toEqual(told);
    }
    expect(await packsOf(place)).toEqual([expect.stringContaining("pack-20261121T030000000Z-") as string]);
  });

  test("that got a late entry after it was packed has a second pack, and each keeps its own time", async () => {
    await fillDay(place, 20);
    await compact(place, SETTLED);
    await openJournal(place).append(checkAt(7, 5));
    const told = await tellAll(place);
    expect(did(await compact(place, SETTLED + 10 * HOUR))).toEqual([1, 0]);
    expect(did(await compact(place, SETTLED + 48 * HOUR))).toEqual([0, 20]);
    expect(await looseOf(place)).toHaveLength(1);
    expect(did(await compact(place, SETTLED + 58 * HOUR))).toEqual([0, 1]);
    expect(await packsOf(place)).toHaveLength(2);
    expect(await tellAll(place)).toEqual(told);
  });

  test("is done one at a time, the oldest first, and only what no pack holds is packed", async () => {
    for (const day of [1, 2, 3]) await openJournal(place).append(checkAt(day * 1440));
    const names = await fillDay(place, 3);
    await packOf(place, names.slice(0, 2), SETTLED + 24 * HOUR);
    const packed = [];
    for (let calls = 0; calls < 4; calls += 1) packed.push((await compact(place, DAY_END + 72 * HOUR)).packed);
    expect(packed.map((one) => [one?.day, one?.entries])).toEqual([
      [DAY, 1],
      ["2026-11-21", 1],
      ["2026-11-22", 1],
      [undefined, undefined],
    ]);
  });

  test("is not asked for again and again: a call with nothing to do is one listing", async () => {
    await fillDay(place, 20);
    await compact(place, SETTLED);
    const { store, counts } = countOperations(place.store);
    expect(await compact({ ...place, store }, SETTLED + HOUR)).toEqual(NOTHING);
    expect(counts).toMatchObject({ lists: 1, gets: 0, puts: 0, deletes: 0 });
  });
});

describe("a loose entry that cannot be read", () => {
  test("is named, never packed and never deleted, and holds nothing up", async () => {
    const names = await fillDay(place, 20);
    const bad = names[7]!;
    await damage(place, toEntryKey(place, bad), (body) => body.subarray(0, body.length - 5));
    const told = await tellAll(place);
    const first = await compact(place, SETTLED);
    expect(did(first)).toEqual([19, 0]);
    expect(first.unreadable).toMatchObject([{ name: bad }]);
    await openJournal(place).append(checkAt(1440));
    expect(did(await compact(place, SETTLED + 24 * HOUR))).toEqual([1, 0]);
    expect(did(await compact(place, SETTLED + 48 * HOUR))).toEqual([0, 19]);
    expect(await looseOf(place)).toHaveLength(2);
    expect((await tellAll(place)).texts.slice(0, 20)).toEqual(told.texts);
  });

  const json = new TextDecoder().decode(entryToJson(checkAt(7)));
  async function plant(text: string, hashed = text): Promise<string> {
    const [bytes, named] = [text, hashed].map((one) => new TextEncoder().encode(one)) as [Uint8Array, Uint8Array];
    const name = toEntryName({ time: checkAt(7).time, kind: "check" }, named);
    const key = toEntryKey(place, name);
    await place.store.put(key, zstdCompressSync(bytes), { expect: "any", contentType: "application/zstd" });
    return name;
  }

  test.each([
    ["of a newer format", json.replace('"format":1', '"format":3'), "a newer version wrote it"],
    ["of another network", json.replace("mainnet", "testnet"), "to the network testnet"],
    ["changed", json.replace('"slot":1007', '"slot":1008'), "its content does not match its name"],
  ])("because it is %s is named and left alone", async (_, text, reason) => {
    await fillDay(place, 5);
    const name = await plant(text, reason.includes("match its name") ? json : text);
    const key = toEntryKey(place, name);
    const compaction = await compact(place, SETTLED);
    expect(did(compaction)).toEqual([5, 0]);
    const kind = reason.includes("newer") ? { isOfNewer: true } : {};
    expect(compaction.unreadable).toEqual([{ name, unreadable: expect.stringContaining(reason) as string, ...kind }]);
    await compactAll(place, SETTLED);
    expect(await looseOf(place)).toEqual([key]);
  });

  test("by a line reader, because its JSON has several lines, stays loose, and is read", async () => {
    const name = await plant(JSON.stringify(JSON.parse(json), null, 1));
    await compactAll(place, SETTLED);
    expect(await looseOf(place)).toEqual([toEntryKey(place, name)]);
    expect(await readTexts(place, [name])).toEqual([[name, json]]);
  });
});

describe("a pack that does not read back", () => {
  test.each<[string, (body: Uint8Array) => Uint8Array]>([
    ["is cut", (body) => body.subarray(0, body.length - 3)],
    ["is empty", () => new Uint8Array()],
    ["has a flipped bit", (body) => body.with(body.length >> 1, body[body.length >> 1]! ^ 1)],
    ["has a flipped bit in its checksum", (body) => body.with(body.length - 1, body.at(-1)! ^ 1)],
    ["has more behind it", (body) => Buffer.concat([body, body])],
  ])("because it %s costs no entry: they are packed again, and 48 hours begin anew", async (_, change) => {
    await fillDay(place, 60);
    const told = await tellAll(place);
    await compact(place, SETTLED);
    const [key] = await packsOf(place);
    await damage(place, key!, change);
    const found = await compact(place, SETTLED + 48 * HOUR);
    expect(did(found)).toEqual([60, 0]);
    expect(found.damaged).toMatchObject([{ key }]);
    expect(await looseOf(place)).toHaveLength(60);
    expect(await compact(place, SETTLED + 95 * HOUR)).toEqual(NOTHING);
    expect(did(await compact(place, SETTLED + 96 * HOUR))).toEqual([0, 60]);
    expect({ ...(await tellAll(place)), unreadable: [] }).toEqual(told);
  });

  test("of a clock far ahead holds nothing up", async () => {
    const names = await fillDay(place, 5);
    await packOf(place, names, Date.parse("2099-01-01T00:00:00.000Z"));
    expect(did(await compact(place, SETTLED))).toEqual([5, 0]);
    expect(did(await compact(place, SETTLED + 48 * HOUR))).toEqual([0, 5]);
  });
});
