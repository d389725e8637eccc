import { beforeEach, expect, test } from "vitest";
import { openJournal } from "../../generator/journal/journal.ts";
import type { JournalPlace } from "../../generator/journal/names.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import { dieAt } from "../publish/dying.ts";
import { compact, compactAll, looseOf, SETTLED } from "../journal/compacting.ts";
import { checkAt, fillDay, HOUR, packOf, tellAll } from "../journal/packed.ts";
import { makePlace } from "../journal/samples.ts";
import { openForkedStore, type ForkedStore } from "./forked-store.ts";

let place: JournalPlace & { store: ForkedStore };
beforeEach(() => {
  place = { ...makePlace(), store: openForkedStore("memory:state") };
});

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
    for (const now of CALLS.slice(0, index)) await compact(place, now);
    const now = CALLS[index]!;
    const operations = await countOf(now);
    for (const isDone of [false, true]) {
      for (let k = 1; k <= operations; k += 1) {
        const stateStore = place.store.fork();
        const dying = dieAt({ publicStore: openMemoryStore(), stateStore }, k, { isDone });
        await expect(compact({ ...place, store: dying.stateStore }, now)).rejects.toThrow("died");
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

async function countOf(now: number): Promise<number> {
  const stores = { publicStore: openMemoryStore(), stateStore: place.store.fork() };
  const living = dieAt(stores, Infinity, { isDone: true });
  await compact({ ...place, store: living.stateStore }, now);
  return living.operations();
}

test("two at once, with clocks an hour apart, end as one does", async () => {
  await prepare();
  const told = await tellAll(place);
  for (let now = SETTLED; now < SETTLED + 120 * HOUR; now += 8 * HOUR) {
    await Promise.all([compact(place, now), compact(place, now + HOUR)]);
    expect(await tellAll(place)).toEqual(told);
  }
  expect(await looseOf(place)).toEqual([]);
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
  await expect(compact({ ...place, store: dying }, SETTLED)).rejects.toThrow("died");
  await compact(place, SETTLED + HOUR);
  await expect(compact({ ...place, store: dying }, SETTLED + 50 * HOUR)).rejects.toThrow("died");
  expect(later.length).toBeGreaterThan(1);
  await compactAll(place, SETTLED + 72 * HOUR);
  // A put whose acknowledgement was lost may be repeated.
  later.push(() => openJournal(place).append(checkAt(3)));
  for (const apply of later) {
    await apply();
    expect(await tellAll(place)).toEqual(told);
  }
  await compactAll(place, SETTLED + 96 * HOUR);
  expect(await tellAll(place)).toEqual(told);
  expect(await looseOf(place)).toEqual([]);
});
