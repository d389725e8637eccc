import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { openJournal } from "../../generator/journal/journal.ts";
import { dayOf, toEntryKey, type JournalPlace } from "../../generator/journal/names.ts";
import { encodePack, fromPackKey, toPackKey } from "../../generator/journal/packs.ts";
import { unpackLines } from "../../generator/journal/pack-lines.ts";
import { countOperations } from "../../generator/store/counting.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import { checkAt, DAY, DAY_END, damage, deleteLoose, fillDay, HOUR, packOf, readTexts, tellAll } from "./packed.ts";
import { makePlace, makeRuling } from "./samples.ts";

let place: JournalPlace;
beforeEach(() => {
  place = makePlace();
});

/** An entry of one of two days: whether it stays loose, and its packs. */
const kept = fc
  .record({
    minute: fc.integer({ min: 0, max: 2879 }),
    isRuling: fc.boolean(),
    isLoose: fc.boolean(),
    packs: fc.uniqueArray(fc.integer({ min: 0, max: 2 })),
  })
  .filter(({ isLoose, packs }) => isLoose || packs.length > 0);

const toEntry = ({ minute, isRuling }: { minute: number; isRuling: boolean }) =>
  isRuling ? makeRuling(checkAt(minute).time, `reason ${minute}\n${minute}`) : checkAt(minute);

test("a journal tells the same of itself, byte for byte, however it is split between loose entries and packs", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(kept, { selector: (one) => `${one.minute} ${one.isRuling}`, minLength: 1, maxLength: 40 }),
      async (all) => {
        const [loose, split] = [makePlace(), makePlace()];
        const named = [];
        for (const one of all) {
          await openJournal(loose).append(toEntry(one));
          named.push({ ...one, name: await openJournal(split).append(toEntry(one)) });
        }
        for (const pack of [0, 1, 2]) {
          const names = named.filter(({ packs }) => packs.includes(pack)).map(({ name }) => name);
          for (const ofDay of Map.groupBy(names, dayOf).values()) await packOf(split, ofDay, DAY_END + pack);
        }
        const gone = named.filter(({ isLoose }) => !isLoose);
        await deleteLoose(
          split,
          gone.map(({ name }) => name),
        );
        expect(await tellAll(split)).toEqual(await tellAll(loose));
      },
    ),
    { numRuns: 15 },
  );
});

test("a pack is one zstd frame of JSON lines that anyone can read", async () => {
  const names = await fillDay(place, 3);
  const key = await packOf(place, names);
  const text = zstdDecompressSync((await place.store.get(key))!.body).toString();
  const lines = text.trimEnd().split("\n");
  expect(JSON.parse(lines[0]!)).toEqual({ format: 1, network: "mainnet", series: 1, day: DAY, names });
  expect(lines.slice(1)).toEqual((await readTexts(place, names)).map(([, text]) => text));
});

test("the key of a pack tells its day, when it was made and what it names, and sorts after the day's entries", () => {
  const names = [`${DAY}/235959999-snapshot-ffffffffffffffff`];
  const packedAt = Date.parse("2026-11-21T03:15:00.007Z");
  const key = toPackKey(place, { day: DAY, packedAt, names });
  expect(key).toMatch(/^journal\/mainnet\/0001\/2026-11-20\/pack-20261121T031500007Z-[0-9a-f]{32}\.ndjson\.zst$/);
  expect(fromPackKey(place, key)).toMatchObject({ key, day: DAY, packedAt });
  expect(key > toEntryKey(place, names[0]!)).toBe(true);
  const strange = [key.replace("0001", "0002"), key.replace("T031500", "T991500"), `${key}.old`, key.slice(0, -1)];
  expect(strange.map((one) => fromPackKey(place, one))).toEqual([null, null, null, null]);
});

describe("what is asked of the store", () => {
  async function packDay(count: number) {
    const names = await fillDay(place, count);
    await packOf(place, names);
    const { store, counts } = countOperations(place.store);
    return { names, counts, counted: { ...place, store } };
  }

  test("a packed day is read with one listing and one object, a thousand times fewer than its entries", async () => {
    const { names, counts, counted } = await packDay(300);
    await deleteLoose(place, names);
    expect(await readTexts(counted, names)).toHaveLength(300);
    expect(counts).toMatchObject({ lists: 1, gets: 1 });
  });

  test("a pack is not got to list what lies loose beside it; one that knows more is got once", async () => {
    const { names, counts, counted } = await packDay(40);
    const journal = openJournal(counted);
    expect((await journal.names()).names).toEqual(names);
    expect(counts).toMatchObject({ lists: 1, gets: 0 });
    const late = await journal.append(checkAt(7, 5));
    for (let times = 0; times < 3; times += 1)
      expect((await journal.names()).names).toEqual([...names, late].toSorted());
    expect(counts).toMatchObject({ lists: 4, gets: 1 });
  });

  test("a few entries of a day are got one by one, without a look for packs", async () => {
    const { names, counts, counted } = await packDay(40);
    await readTexts(counted, names.slice(0, 5));
    expect(counts).toMatchObject({ lists: 0, gets: 5 });
  });
});

describe("while another process deletes loose entries", () => {
  test("a listing misses no name, wherever it is when they go", async () => {
    for (let at = 0; at < 12; at += 1) {
      const here = makePlace();
      const names = await fillDay(here, 10);
      await packOf(here, names);
      let listed = 0;
      const paged: ObjectStore = {
        ...here.store,
        // One key a page, each by the store's state then.
        async *list(prefix, options) {
          for (let startAfter = options?.startAfter; ;) {
            if (prefix.startsWith("journal/") && listed++ === at) await deleteLoose(here, names);
            const page = here.store.list(prefix, startAfter === undefined ? {} : { startAfter });
            const next = await page[Symbol.asyncIterator]().next();
            if (next.done === true) return;
            startAfter = next.value.key;
            yield next.value;
          }
        },
      };
      expect((await openJournal({ ...here, store: paged }).names()).names).toEqual(names);
      expect(listed).toBeGreaterThan(at > 10 ? 10 : at);
    }
  });

  test.each([5, 40])("%i entries that were listed before are read from the pack", async (count) => {
    const names = await fillDay(place, count);
    const expected = await readTexts(place, names);
    await packOf(place, names);
    const reading = openJournal(place).read(names)[Symbol.asyncIterator]();
    const first = await reading.next();
    await deleteLoose(place, names);
    const read = [first.value, ...(await Array.fromAsync({ [Symbol.asyncIterator]: () => reading }))];
    for (const one of read) expect(one).toHaveProperty("entry");
    expect(await readTexts(place, names)).toEqual(expected);
  });
});

describe("a pack that came to harm", () => {
  const encode = (text: string) => zstdCompressSync(new TextEncoder().encode(text));
  const withHeader = (change: object) => (body: Uint8Array) => {
    const [header = "", ...rest] = zstdDecompressSync(body).toString().split("\n");
    return encode([JSON.stringify({ ...(JSON.parse(header) as object), ...change }), ...rest].join("\n"));
  };
  test.each<[string, (body: Uint8Array) => Uint8Array, RegExp]>([
    ["is empty", () => new Uint8Array(), /./],
    ["has nothing in it", () => encode(""), /it is empty/],
    ["is no zstd", () => new TextEncoder().encode("<html>"), /./],
    ["is foreign JSON", () => encode('{"hello":1}\n'), /wrong shape: format/],
    ["is no JSON", () => encode("hello\n"), /JSON/],
    ["is cut within its header", (body) => body.subarray(0, 20), /./],
    ["has a newer form", withHeader({ format: 2 }), /has the format 2, this version knows 1: a newer version wrote it/],
    ["is of another network", withHeader({ network: "testnet" }), /to testnet/],
    ["is of another series", withHeader({ series: 2 }), /series 2/],
    ["is of another day", withHeader({ day: "2026-11-19" }), /does not match its key/],
    ["names others", withHeader({ names: [`${DAY}/000000000-check-0000000000000000`] }), /does not match its key/],
  ])("and %s is named, and its loose entries are read", async (_, change, reason) => {
    const names = await fillDay(place, 40);
    const expected = await readTexts(place, names);
    const key = await packOf(place, names);
    await damage(place, key, change);
    expect(await readTexts(place, names)).toEqual(expected);
    await deleteLoose(place, names.slice(0, 1));
    const journal = openJournal(place);
    const kind = reason.source.includes("newer") ? { isOfNewer: true } : {};
    expect(await journal.names()).toEqual({
      names: names.slice(1),
      foreign: [],
      unreadable: [{ key, reason: expect.stringMatching(reason) as string, isSpare: false, ...kind }],
    });
    const base = await journal.findStartingPoint({ now: DAY_END, foldVersion: 1 });
    expect(base).toMatchObject({ unreadable: [{ key, ...kind }], leftOut: [{ name: key, ...kind }] });
    expect(await journal.findPackFault(key)).toMatchObject(kind);
  });

  test("is spare where other objects hold what it held, and no ledger lacks it", async () => {
    const names = await fillDay(place, 40);
    const key = await packOf(place, names);
    await damage(place, key, () => new Uint8Array());
    await packOf(place, names, DAY_END + 4 * HOUR);
    await deleteLoose(place, names);
    const base = await openJournal(place).findStartingPoint({ now: DAY_END, foldVersion: 1 });
    expect(base).toMatchObject({ names, unreadable: [{ key, isSpare: true }], leftOut: [] });
  });

  test("after its header gives what was before the harm, and names what only it held", async () => {
    const names = await fillDay(place, 60);
    const expected = await readTexts(place, names);
    const key = await packOf(place, names);
    // Each line is hashed, so an altered one counts as lost.
    await damage(place, key, (body) => {
      const lines = zstdDecompressSync(body).toString().split("\n");
      lines[31] = lines[31]!.replace('"slot"', '"Slot"');
      return encode(lines.slice(0, 51).join("\n"));
    });
    await deleteLoose(place, [names[10]!, names[30]!, names[55]!]);
    const read = await readTexts(place, (await openJournal(place).names()).names);
    expect(read.map(([name]) => name)).toEqual(names);
    expect(read.filter(([, text]) => text.startsWith("unreadable"))).toEqual([
      [names[30], expect.stringContaining("wrong shape") as string],
      [names[55], expect.stringContaining(`${key} does not contain it`) as string],
    ]);
    const good = [...names.keys()].filter((index) => index !== 30 && index !== 55);
    expect(good.map((index) => read[index])).toEqual(good.map((index) => expected[index]));
  });

  test("is made up for by another one, and by a loose entry; a damaged loose entry by a pack", async () => {
    const names = await fillDay(place, 40);
    const expected = await readTexts(place, names);
    const broken = await packOf(place, names, DAY_END + 3 * HOUR);
    await packOf(place, names.slice(0, 20), DAY_END + 4 * HOUR);
    await damage(place, broken, (body) => {
      const lines = zstdDecompressSync(body).toString().split("\n");
      return encode(`${lines.slice(0, 5).join("\n")}\n`);
    });
    await deleteLoose(place, names.slice(0, 10));
    await damage(place, toEntryKey(place, names[15]!), () => new Uint8Array());
    expect(await readTexts(place, names)).toEqual(expected);
    expect(await readTexts(place, [names[15]!])).toEqual([expected[15]]);
  });

  test("with a line that never ends is given up before it fills the memory", async () => {
    const bomb = zstdCompressSync(Buffer.alloc(32 * 1024 * 1024, "a"));
    const reading = Array.fromAsync(unpackLines(bomb, { lineBytesMax: 1_000_000 }));
    await expect(reading).rejects.toThrow("more than 1000000 bytes");
  });

  test("with fewer lines than names, or more, names no entry wrongly", async () => {
    const names = await fillDay(place, 3);
    const texts = (await readTexts(place, names)).map(([, text]) => new TextEncoder().encode(text));
    const key = toPackKey(place, { day: DAY, packedAt: DAY_END, names });
    const body = await encodePack(place, { day: DAY, names }, iterate([texts[1]!, texts[0]!, texts[2]!]));
    await place.store.put(key, body, { expect: "any", contentType: "application/zstd" });
    await deleteLoose(place, names);
    const read = await readTexts(place, names);
    expect(read.map(([, text]) => text.startsWith("unreadable"))).toEqual([true, true, false]);
    expect(read[0]![1]).toContain("does not match its name");
  });
});

async function* iterate<Value>(values: Value[]): AsyncGenerator<Value> {
  yield* await Promise.resolve(values);
}
