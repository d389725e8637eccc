import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Entry } from "../../generator/entries/entry.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { toEntryKey, type JournalPlace } from "../../generator/journal/names.ts";
import { makePack, type Packing } from "../../generator/journal/packing.ts";
import { PACK_ENTRIES, toPackKey } from "../../generator/journal/packs.ts";
import { makeCheck } from "./samples.ts";

const FIRST_RANGE = { first: 1, last: PACK_ENTRIES };
export const FIRST_PACK = "packs/mainnet/0001/0000000001-0000001000.ndjson.zst";

export const didNothing = (): Packing => ({
  packed: null,
  deleted: null,
  unreadable: [],
  damaged: null,
});

/** Appends checks, one a minute; returns their names. */
export async function fill(place: JournalPlace, count: number): Promise<string[]> {
  const journal = openJournal(place);
  const names = [];
  for (let minute = 0; minute < count; minute += 1)
    names.push(await journal.append(checkAt(minute)));
  return names;
}

/** A check this many minutes into a day. */
export function checkAt(minute: number): Entry {
  return makeCheck(new Date(Date.parse("2026-11-20") + minute * 60_000).toISOString(), {
    slot: 1_000 + minute,
  });
}

/** Packs what there is of the first thousand entries. */
export async function packFirst(place: JournalPlace): Promise<Packing> {
  const done = didNothing();
  await makePack(place, FIRST_RANGE, done);
  return done;
}

export async function deleteLoose(place: JournalPlace, names: readonly string[]): Promise<void> {
  for (const name of names) await place.store.delete(toEntryKey(place, name));
}

export async function damage(
  place: JournalPlace,
  key: string,
  change: (body: Uint8Array) => Uint8Array,
): Promise<void> {
  const { body } = (await place.store.get(key))!;
  await place.store.put(key, change(body), { expect: "any", contentType: "application/zstd" });
}

export const damagePack = (place: JournalPlace, change: (body: Uint8Array) => Uint8Array) =>
  damage(place, toPackKey(place, FIRST_RANGE), change);

/** As who has the store may: stored anew under its number, otherwise as it was. */
export async function changeEntry(
  place: JournalPlace,
  name: string,
  change: (text: string) => string,
): Promise<void> {
  await damage(place, toEntryKey(place, name), (body) =>
    zstdCompressSync(change(zstdDecompressSync(body).toString())),
  );
}

/** SHA-256 of each entry's JSON, or why it cannot be read. */
export async function readTexts(place: JournalPlace, names: Iterable<string>): Promise<string[]> {
  const read = await Array.fromAsync(openJournal(place).read(names));
  return read.map((one) => ("entry" in one ? one.hash : `unreadable: ${one.unreadable}`));
}
