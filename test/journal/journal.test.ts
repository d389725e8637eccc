import { expect, test } from "vitest";
import { toEntryKey } from "../../generator/journal/names.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { StoreError, type ObjectStore } from "../../generator/store/store.ts";
import { makeCheck, makePlace } from "./samples.ts";

const times = Array.from({ length: 40 }, (_, index) =>
  new Date(Date.UTC(2026, 10, 20, 23, 40) + index * 60_000).toISOString(),
);

async function fill() {
  const place = makePlace();
  const journal = openJournal(place);
  const names: string[] = [];
  for (const time of times) names.push(await journal.append(makeCheck(time)));
  return { place, journal, names };
}

test("strange keys among the entries are named and hide no entry", async () => {
  const place = makePlace();
  const journal = openJournal(place);
  const name = await journal.append(makeCheck(times[0]!));
  const strange = ["2026-11-20/notes.txt", "2026-11-20/150000000-check-00.json.zst", "README", "zzz/1.json.zst"];
  const keys = strange.map((path) => `journal/mainnet/0001/${path}`);
  for (const key of keys) await place.store.put(key, new Uint8Array(), { expect: "any", contentType: "text/plain" });
  expect(await journal.names()).toEqual({ names: [name], foreign: keys.toSorted(), unreadable: [] });
});

test("whatever lies under an entry's name already is never written again", async () => {
  const place = makePlace();
  const journal = openJournal(place);
  const name = await journal.append(makeCheck(times[0]!));
  const key = toEntryKey(place, name);
  // By another version of zstd, or damaged: it is the only evidence.
  const other = new TextEncoder().encode("other bytes");
  await place.store.put(key, other, { expect: "any", contentType: "application/zstd" });
  expect(await journal.append(makeCheck(times[0]!))).toBe(name);
  expect((await place.store.get(key))?.body).toEqual(other);
});

test("entries are read in the order asked for, whichever answers first, and bad ones keep their place", async () => {
  const { place, names } = await fill();
  const turned = names.toReversed().toSpliced(3, 0, "2026-11-20/000000000-check-0000000000000000");
  let asked = 0;
  const get: ObjectStore["get"] = async (key) => {
    const turns = (asked++ * 7) % 20;
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    return place.store.get(key);
  };
  const read = await Array.fromAsync(openJournal({ ...place, store: { ...place.store, get } }).read(turned));
  expect(read.map(({ name }) => name)).toEqual(turned);
  const bad = { name: turned[3], unreadable: "the object is missing" };
  expect(read.filter((entry) => "unreadable" in entry)).toEqual([bad]);
});

test("reading stops with the error of a store that fails, and looks ahead only a little", async () => {
  const { place, names } = await fill();
  let asked = 0;
  const get: ObjectStore["get"] = (key) =>
    ++asked === 5 ? Promise.reject(new StoreError("s", "get", key, "broken")) : place.store.get(key);
  const read: string[] = [];
  const reading = async () => {
    const failing = openJournal({ ...place, store: { ...place.store, get } });
    for await (const { name } of failing.read(names)) read.push(name);
  };
  await expect(reading()).rejects.toThrow("broken");
  expect(read).toEqual(names.slice(0, 4));
  expect(asked).toBeLessThan(24);
});
