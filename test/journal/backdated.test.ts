import { beforeEach, describe, expect, test } from "vitest";
import { toEntryKey, type JournalPlace } from "../../generator/journal/names.ts";
import { listBackdated } from "../../generator/journal/backdated.ts";
import { writeEntry } from "../../generator/journal/entries.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { countOperations } from "../../generator/store/counting.ts";
import { checkAt, DAY_END, damage, deleteLoose, fillDay, HOUR, packOf } from "./packed.ts";
import { makeCheck, makeLedger, makePlace, makeRuling } from "./samples.ts";

/*
 * Entries that reach a packed day late and unmarked: the writer died, a copy was restored, or a put took days. A ledger
 * far ahead does not look there; upkeep does and marks them.
 */

const DAYS_LATER = DAY_END + 5 * 24 * HOUR;

let place: JournalPlace;
let names: string[];

beforeEach(async () => {
  place = makePlace();
  names = await fillDay(place, 20);
  await packOf(place, names);
});

const journal = () => openJournal(place);
const compact = () => journal().compact({ now: DAYS_LATER });
const findStartingPoint = () => journal().findStartingPoint({ now: DAYS_LATER, foldVersion: 1 });
const marks = async () => (await listBackdated(place)).names;

async function goFarAhead(): Promise<void> {
  const time = new Date(DAYS_LATER - HOUR).toISOString();
  const name = await journal().append(makeCheck(time, { slot: 9_000 }));
  const { digestThrough } = await findStartingPoint();
  await journal().saveCheckpoint({ ledger: makeLedger({ name, time }), foldVersion: 1, digest: digestThrough(name) });
  expect(await findStartingPoint()).toMatchObject({ through: name, names: [] });
}

test.each([
  ["half a day after gets none", 12 * HOUR, 0],
  ["more than half a day after gets one", 12 * HOUR + 1, 1],
])("an observation that is written %s at once", async (_, late, count) => {
  const entry = checkAt(7, 5);
  const name = await openJournal(place, { now: () => Date.parse(entry.time) + late }).append(entry);
  expect(await marks()).toEqual([name].slice(0, count));
});

describe("an entry without a mark", () => {
  test.each([
    ["an observation", checkAt(7, 5)],
    ["a ruling", makeRuling(checkAt(7).time)],
  ])("that is %s in a packed day is seen by a ledger far ahead once the day is looked after", async (_, entry) => {
    await goFarAhead();
    const name = await writeEntry(place, entry);
    expect((await findStartingPoint()).names).toEqual([]);
    expect(await compact()).toMatchObject({ packed: { entries: 1 } });
    expect(await marks()).toEqual([name]);
    const base = await findStartingPoint();
    expect(base.ledger).toBeNull();
    expect(base.names).toContain(name);
  });

  test("that is a ruling gets one when its day is packed for the first time, and nothing else of that day does", async () => {
    await deleteLoose(place, names);
    await writeEntry(place, makeCheck("2026-11-22T00:00:00.000Z"));
    const ruling = await writeEntry(place, makeRuling("2026-11-22T00:00:01.000Z"));
    expect(await compact()).toMatchObject({ packed: { day: "2026-11-22", entries: 2 } });
    expect(await marks()).toEqual([ruling]);
  });

  test("is seen also where the pack of its day lost its header, and all else of the day is gone", async () => {
    await goFarAhead();
    await deleteLoose(place, names);
    for await (const { key } of place.store.list("journal/")) {
      if (key.includes("/pack-")) await damage(place, key, (body) => body.with(0, 0));
    }
    const name = await writeEntry(place, checkAt(7, 5));
    await compact();
    expect((await findStartingPoint()).names).toContain(name);
  });

  test("is marked before it is packed, so that a death in between leaves it to be found again", async () => {
    await goFarAhead();
    const name = await writeEntry(place, checkAt(7, 5));
    const store = { ...place.store, put: place.store.put.bind(place.store) };
    store.put = (key, ...asked) =>
      key.includes("/pack-") ? Promise.reject(new Error("died")) : place.store.put(key, ...asked);
    await expect(openJournal({ ...place, store }).compact({ now: DAYS_LATER })).rejects.toThrow("died");
    expect(await marks()).toEqual([name]);
    expect(await compact()).toMatchObject({ packed: { entries: 1 } });
  });

  test("that cannot be read is made known too, and is marked once", async () => {
    await goFarAhead();
    const name = await writeEntry(place, checkAt(7, 5));
    await damage(place, toEntryKey(place, name), (body) => body.subarray(0, 20));
    await compact();
    expect((await findStartingPoint()).names).toContain(name);
    const { store, counts } = countOperations(place.store);
    await openJournal({ ...place, store }).compact({ now: DAYS_LATER });
    expect(counts.puts).toBe(0);
  });
});

test("what lies among the marks and is none is named among what is foreign", async () => {
  const key = "backdated/mainnet/0001/2026-11-20/notes.txt";
  await place.store.put(key, new Uint8Array(), { expect: "any", contentType: "text/plain" });
  expect((await findStartingPoint()).foreign).toEqual([key]);
});
