import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { openJournal } from "../../generator/journal/journal.ts";
import { toEntryKey, toNames, type JournalPlace } from "../../generator/journal/names.ts";
import { encodePack, toPackKey } from "../../generator/journal/packs.ts";
import { readJson } from "../../generator/journal/reading.ts";
import { unpackLines } from "../../generator/journal/pack-lines.ts";
import { countOperations } from "../../generator/store/counting.ts";
import {
  damage,
  damagePack,
  deleteLoose,
  fill,
  FIRST_PACK,
  packFirst,
  readTexts,
} from "./packed.ts";
import { makePlace } from "./samples.ts";

let place: JournalPlace;
beforeEach(() => {
  place = makePlace();
});

test("a journal reads the same, byte for byte, however it is split between loose entries and a pack", async () => {
  const names = await fill(place, 40);
  const expected = await readTexts(place, names);
  await packFirst(place);
  await fc.assert(
    fc.asyncProperty(fc.subarray(names), async (gone) => {
      const split = makePlace();
      for await (const { key } of place.store.list(""))
        await split.store.put(key, (await place.store.get(key))!.body, {
          expect: "any",
          contentType: "",
        });
      await deleteLoose(split, gone);
      expect(await readTexts(split, names)).toEqual(expected);
    }),
    { numRuns: 15 },
  );
});

test("a pack is one zstd frame of JSON lines that anyone can read", async () => {
  const names = await fill(place, 3);
  await packFirst(place);
  const text = zstdDecompressSync((await place.store.get(FIRST_PACK))!.body).toString();
  const lines = text.trimEnd().split("\n");
  expect(JSON.parse(lines[0]!)).toEqual({ format: 1, network: "mainnet", series: 1, names });
  const jsons = await readJsons(names);
  expect(lines.slice(1)).toEqual(jsons.map((json) => new TextDecoder().decode(json)));
});

describe("what is asked of the store", () => {
  async function packAll(count: number) {
    const names = await fill(place, count);
    await packFirst(place);
    const { store, counts } = countOperations(place.store);
    return { names, counts, counted: { ...place, store } };
  }

  test("packed entries are read with one request, however many they are", async () => {
    const { names, counts, counted } = await packAll(300);
    await deleteLoose(place, names);
    expect(await Array.fromAsync(openJournal(counted).read(names))).toHaveLength(300);
    expect(counts).toMatchObject({ lists: 0, gets: 1 });
  });

  test("a few entries are got one by one, without a look for the pack", async () => {
    const { names, counts, counted } = await packAll(40);
    await Array.fromAsync(openJournal(counted).read(names.slice(0, 5)));
    expect(counts).toMatchObject({ lists: 0, gets: 5 });
  });
});

test.each([5, 40])(
  "%i entries that another process deletes while they are read come from the pack",
  async (count) => {
    const names = await fill(place, count);
    await packFirst(place);
    const reading = openJournal(place).read(names)[Symbol.asyncIterator]();
    const first = await reading.next();
    await deleteLoose(place, names);
    const read = [
      first.value,
      ...(await Array.fromAsync({ [Symbol.asyncIterator]: () => reading })),
    ];
    expect(read).toHaveLength(count);
    for (const one of read) expect(one).toHaveProperty("entry");
  },
);

describe("a pack that came to harm", () => {
  const encode = (text: string) => zstdCompressSync(new TextEncoder().encode(text));
  const withHeader = (change: object) => (body: Uint8Array) => {
    const [header = "", ...rest] = zstdDecompressSync(body).toString().split("\n");
    return encode(
      [JSON.stringify({ ...(JSON.parse(header) as object), ...change }), ...rest].join("\n"),
    );
  };
  test.each<[string, (body: Uint8Array) => Uint8Array, RegExp]>([
    ["is empty", () => new Uint8Array(), /./],
    ["has nothing in it", () => encode(""), /it is empty/],
    ["is no zstd", () => new TextEncoder().encode("<html>"), /./],
    ["is foreign JSON", () => encode('{"hello":1}\n'), /wrong shape: format/],
    ["is no JSON", () => encode("hello\n"), /JSON/],
    ["is cut within its header", (body) => body.subarray(0, 20), /./],
    [
      "has a newer form",
      withHeader({ format: 2 }),
      /has the format 2, this version knows 1: a newer version wrote it/,
    ],
    ["is of another network", withHeader({ network: "testnet" }), /to testnet/],
    ["is of another series", withHeader({ series: 2 }), /series 2/],
    [
      "names entries of another pack",
      withHeader({ names: ["0000001001"] }),
      /does not match its key/,
    ],
    [
      "names them in another order",
      withHeader({ names: ["0000000002", "0000000001"] }),
      /does not match its key/,
    ],
  ])(
    "and %s costs no entry that is loose, and says why the others cannot be read",
    async (_, change, reason) => {
      const names = await fill(place, 40);
      const expected = await readTexts(place, names);
      await packFirst(place);
      await damagePack(place, change);
      expect(await readTexts(place, names)).toEqual(expected);
      await deleteLoose(place, names.slice(0, 1));
      const read = await readTexts(place, names);
      expect(read.slice(1)).toEqual(expected.slice(1));
      expect(read[0]).toMatch(/^unreadable: the pack that may hold it cannot be read: /);
      expect(read[0]).toMatch(reason);
    },
  );

  test("after its header gives what was before the harm, and names what only it held", async () => {
    const names = await fill(place, 60);
    const expected = await readTexts(place, names);
    await packFirst(place);
    await damagePack(place, (body) => {
      const lines = zstdDecompressSync(body).toString().split("\n");
      lines[31] = lines[31]!.replace('"slot"', '"Slot"');
      return encode(lines.slice(0, 51).join("\n"));
    });
    const [altered, cut] = [names[30]!, names[55]!];
    await deleteLoose(place, [names[10]!, altered, cut]);
    const read = await readTexts(place, names);
    expect(read[30]).toContain("wrong shape");
    expect(read[55]).toContain(`${FIRST_PACK} does not contain it`);
    const good = [...names.keys()].filter((index) => index !== 30 && index !== 55);
    expect(good.map((index) => read[index])).toEqual(good.map((index) => expected[index]));
  });

  test("makes up for a damaged loose entry all the same", async () => {
    const names = await fill(place, 40);
    const expected = await readTexts(place, names);
    await packFirst(place);
    await damage(place, toEntryKey(place, names[15]!), () => new Uint8Array());
    expect(await readTexts(place, names)).toEqual(expected);
    expect(await readTexts(place, [names[15]!])).toEqual([expected[15]]);
  });

  test("with a line that never ends is given up before it fills the memory", async () => {
    const bomb = zstdCompressSync(Buffer.alloc(32 * 1024 * 1024, "a"));
    const reading = Array.fromAsync(unpackLines(bomb, { lineBytesMax: 1_000_000 }));
    await expect(reading).rejects.toThrow("more than 1000000 bytes");
  });

  test("with lines in another order names no entry wrongly", async () => {
    const names = await fill(place, 3);
    const jsons = await readJsons(names);
    const body = await encodePack(place, names, iterate([jsons[1]!, jsons[0]!, jsons[2]!]));
    const key = toPackKey(place, { first: 1, last: 1_000 });
    await place.store.put(key, body, { expect: "any", contentType: "application/zstd" });
    await deleteLoose(place, names);
    const read = await readTexts(place, names);
    expect(read.map((text) => text.startsWith("unreadable"))).toEqual([true, true, false]);
    expect(read[0]).toContain("it is the entry 2");
  });
});

test("names of a range are those of its numbers", () => {
  expect(toNames(999, 1_001)).toEqual(["0000000999", "0000001000", "0000001001"]);
  expect(toNames(2, 1)).toEqual([]);
});

async function readJsons(names: readonly string[]): Promise<Uint8Array[]> {
  return Promise.all(names.map(async (name) => (await readJson(place, name)) as Uint8Array));
}

async function* iterate<Value>(values: Value[]): AsyncGenerator<Value> {
  yield* await Promise.resolve(values);
}
