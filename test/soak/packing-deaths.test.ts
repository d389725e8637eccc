import { beforeEach, expect, test } from "vitest";
import { openJournal } from "../../generator/journal/journal.ts";
import { toEntryKey, toNames, type JournalPlace } from "../../generator/journal/names.ts";
import type { Packing } from "../../generator/journal/packing.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import { dieAt } from "../publish/dying.ts";
import { checkAt, deleteLoose, fill, readTexts } from "../journal/packed.ts";
import { makePlace } from "../journal/samples.ts";
import { openForkedStore, type ForkedStore } from "./forked-store.ts";

type ForkedPlace = JournalPlace & { store: ForkedStore };

const ALL = toNames(1, 2_004);
/** Few of each thousand, so that each death can be looked at: the others are missing. */
const KEPT = [...toNames(1, 6), ...toNames(996, 1_006), ...toNames(1_997, 2_004)];

const full: ForkedPlace = { ...makePlace(), store: openForkedStore("memory:state") };
await fill(full, ALL.length);
const sparse: ForkedPlace = { ...full, store: full.store.fork() };
await deleteLoose(
  sparse,
  ALL.filter((name) => !KEPT.includes(name)),
);
const TEXTS = await readTexts(full, ALL);

let place: ForkedPlace;
beforeEach(() => {
  place = { ...sparse, store: sparse.store.fork() };
});

const pack = (at: JournalPlace): Promise<Packing> => openJournal(at).pack();

async function packAll(at: JournalPlace): Promise<void> {
  for (;;) {
    const { packed, deleted } = await pack(at);
    if (packed === null && deleted === null) return;
  }
}

/** One by one, and as those read that want a whole pack. */
async function expectSame(at: JournalPlace): Promise<void> {
  const expected = KEPT.map((name) => TEXTS[ALL.indexOf(name)]);
  expect((await openJournal(at).list(null)).names).toEqual(ALL);
  expect(await readTexts(at, KEPT)).toEqual(expected);
  const texts = await readTexts(at, ALL);
  expect(KEPT.map((name) => texts[ALL.indexOf(name)])).toEqual(expected);
}

async function countLoose({ store }: JournalPlace): Promise<number> {
  return (await Array.fromAsync(store.list("journal/"))).length;
}

test.each([
  ["packs the first thousand", 0, 2 + 1_000 + 11 + 1],
  ["packs the second thousand", 1, 2 + 1_000 + 10 + 1],
  ["deletes what the first pack holds", 2, 2 + 1 + 11],
  ["has nothing to do", 3, 2],
])(
  "a death at any operation of a call that %s, before or after it took effect, loses nothing, and the next calls finish",
  async (_, calls, expected) => {
    for (let call = 0; call < calls; call += 1) await pack(place);
    const operations = await countOf(place);
    /** Deaths that leave the same objects share one aftermath. */
    const seen = new Set<string>();
    for (const isDone of [false, true]) {
      for (let k = 1; k <= operations; k += 1) {
        const stateStore = place.store.fork();
        const dying = dieAt({ publicStore: openMemoryStore(), stateStore }, k, { isDone });
        await expect(pack({ ...place, store: dying.stateStore })).rejects.toThrow("died");
        const left = [...stateStore.etags()].join("\n");
        if (seen.has(left)) continue;
        seen.add(left);
        const after = { ...place, store: stateStore };
        await expectSame(after);
        await packAll(after);
        await expectSame(after);
        expect(await countLoose(after)).toBe(14);
      }
    }
    expect(operations).toBe(expected);
  },
);

async function countOf(at: ForkedPlace): Promise<number> {
  const stores = { publicStore: openMemoryStore(), stateStore: at.store.fork() };
  const living = dieAt(stores, Infinity, { isDone: true });
  await pack({ ...at, store: living.stateStore });
  return living.operations();
}

test("two at once end as one does, while a third appends", async () => {
  const at = { ...full, store: full.store.fork() };
  const writer = openJournal(at);
  for (let turn = 0; turn < 6; turn += 1)
    await Promise.all([pack(at), pack(at), writer.append(checkAt(ALL.length + turn))]);
  expect((await openJournal(at).list(null)).names).toEqual(toNames(1, ALL.length + 6));
  expect(await readTexts(at, ALL)).toEqual(TEXTS);
  expect(await countLoose(at)).toBe(ALL.length - 1_000 + 6);
});

test("writes and deletions that take effect long after their writer died change nothing", async () => {
  const late: (() => Promise<unknown>)[] = [];
  const dying: ObjectStore = {
    ...place.store,
    put: (...asked) => {
      late.push(() => place.store.put(...asked));
      return Promise.reject(new Error("the process died"));
    },
    delete: (key) => {
      late.push(() => place.store.delete(key));
      return Promise.reject(new Error("the process died"));
    },
  };
  for (let call = 0; call < 3; call += 1) {
    await expect(pack({ ...place, store: dying })).rejects.toThrow("died");
    await pack(place);
  }
  expect(late.length).toBeGreaterThan(2);
  // A put whose answer was lost may be repeated.
  const { body } = (await sparse.store.get(toEntryKey(place, KEPT[2]!)))!;
  late.push(() =>
    place.store.put(toEntryKey(place, KEPT[2]!), body, { expect: "absent", contentType: "" }),
  );
  await packAll(place);
  for (const apply of late) {
    await apply();
    await expectSame(place);
  }
  await packAll(place);
  await expectSame(place);
  expect(await countLoose(place)).toBe(14);
});
