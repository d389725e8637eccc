import { describe, expect, it } from "vitest";
import { openJournal } from "../../generator/journal/journal.ts";
import { toEntryKey, toNames, type JournalPlace } from "../../generator/journal/names.ts";
import { countOperations } from "../../generator/store/counting.ts";
import {
  checkAt,
  damage,
  damagePack,
  deleteLoose,
  didNothing,
  fill,
  FIRST_PACK,
  readTexts,
} from "./packed.ts";
import { openForkedStore, type ForkedStore } from "../soak/forked-store.ts";
import { makePlace } from "./samples.ts";

type ForkedPlace = JournalPlace & { store: ForkedStore };

const copyOf = (place: ForkedPlace): ForkedPlace => ({ ...place, store: place.store.fork() });

const filled: ForkedPlace = { ...makePlace(), store: openForkedStore("memory:") };
await fill(filled, 2_100);
const NAMES = toNames(1, 2_100);
const TEXTS = await readTexts(filled, NAMES);

const packedTwice = copyOf(filled);
for (let packs = 0; packs < 2; packs += 1) await openJournal(packedTwice).pack();

async function countLoose({ store }: JournalPlace): Promise<number> {
  return (await Array.fromAsync(store.list("journal/"))).length;
}

describe("packing", () => {
  it("makes a pack of each full thousand, and deletes its loose entries once the next is made; all reads the same", async () => {
    const place = copyOf(filled);
    const bytes = expect.any(Number) as number;
    const [first, second] = [
      { first: 1, last: 1_000 },
      { first: 1_001, last: 2_000 },
    ];
    const calls: [done: object, looseAfter: number][] = [
      [{ packed: { ...first, entries: 1_000, bytes } }, 2_100],
      [{ packed: { ...second, entries: 1_000, bytes } }, 2_100],
      [{ deleted: { ...first, entries: 1_000 } }, 1_100],
      [{}, 1_100],
    ];
    for (const [done, looseAfter] of calls) {
      expect(await openJournal(place).pack()).toEqual({ ...didNothing(), ...done });
      expect(await countLoose(place)).toBe(looseAfter);
      expect(await readTexts(place, NAMES)).toEqual(TEXTS);
    }
    expect((await openJournal(place).list(null)).names).toEqual(NAMES);
    expect(await openJournal(place).append(checkAt(2_100))).toBe("0000002101");
  });

  it("is known by its packs where newer loose entries are lost, and older ones are not", async () => {
    const place = copyOf(packedTwice);
    await deleteLoose(place, NAMES.slice(1_000));
    expect((await openJournal(place).list(null)).names).toEqual(toNames(1, 2_000));
  });

  it("waits for a thousand entries", async () => {
    const place = makePlace();
    await fill(place, 999);
    expect(await openJournal(place).pack()).toEqual(didNothing());
    await openJournal(place).append(checkAt(999));
    expect(await openJournal(place).pack()).toMatchObject({ packed: { entries: 1_000 } });
  });

  it("with nothing to do only lists", async () => {
    const place = copyOf(packedTwice);
    await openJournal(place).pack();
    const { store, counts } = countOperations(place.store);
    expect(await openJournal({ ...place, store }).pack()).toEqual(didNothing());
    expect(counts).toMatchObject({ lists: 3, gets: 0, puts: 0, deletes: 0 });
  });

  it("passes over what is missing or damaged, names it, and never deletes it", async () => {
    const place = copyOf(filled);
    await place.store.delete(toEntryKey(place, NAMES[3]!));
    await damage(place, toEntryKey(place, NAMES[7]!), (body) => body.subarray(0, body.length - 5));
    const packing = await openJournal(place).pack();
    expect(packing).toMatchObject({
      packed: { entries: 998 },
      unreadable: [{ name: NAMES[3] }, { name: NAMES[7] }],
    });
    for (let calls = 0; calls < 3; calls += 1) await openJournal(place).pack();
    expect(await countLoose(place)).toBe(1_101);
    const [missing, damaged] = await readTexts(place, [NAMES[3]!, NAMES[7]!]);
    expect([missing, damaged]).toEqual([
      "unreadable: the object is missing",
      expect.stringMatching(/^unreadable: /) as string,
    ]);
    // Back from a copy, both are read again.
    for (const name of [NAMES[3]!, NAMES[7]!]) {
      const key = toEntryKey(place, name);
      await place.store.put(key, (await filled.store.get(key))!.body, {
        expect: "any",
        contentType: "",
      });
    }
    expect(await readTexts(place, NAMES)).toEqual(TEXTS);
  });

  it.each<[string, (body: Uint8Array) => Uint8Array]>([
    ["is cut", (body) => body.subarray(0, body.length - 3)],
    ["is empty", () => new Uint8Array()],
    ["has a flipped bit", (body) => body.with(body.length >> 1, body[body.length >> 1]! ^ 1)],
    ["has a flipped bit in its checksum", (body) => body.with(body.length - 1, body.at(-1)! ^ 1)],
    ["has more behind it", (body) => Buffer.concat([body, body])],
  ])("deletes nothing for a pack that %s, and makes it again", async (_, change) => {
    const place = copyOf(packedTwice);
    await damagePack(place, change);
    const packing = await openJournal(place).pack();
    expect(packing).toMatchObject({
      deleted: null,
      damaged: { key: FIRST_PACK },
      packed: { entries: 1_000 },
    });
    expect(await openJournal(place).pack()).toMatchObject({ deleted: { entries: 1_000 } });
    expect(await readTexts(place, NAMES)).toEqual(TEXTS);
  });
});
