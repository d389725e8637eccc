import { entryToJson } from "../../generator/journal/entries.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { dayOf, toEntryKey, type JournalPlace } from "../../generator/journal/names.ts";
import { makePack } from "../../generator/journal/compaction.ts";
import type { Entry } from "../../generator/entries/entry.ts";
import { makeCheck } from "./samples.ts";

export const DAY = "2026-11-20";
export const HOUR = 3_600_000;
/** End of {@link DAY}, milliseconds since 1970. */
export const DAY_END = Date.parse("2026-11-21T00:00:00.000Z");

/** Appends checks from midnight of {@link DAY}, one a minute; returns their names. */
export async function fillDay(place: JournalPlace, count: number): Promise<string[]> {
  const journal = openJournal(place);
  const names = [];
  for (let minute = 0; minute < count; minute += 1) names.push(await journal.append(checkAt(minute)));
  return names;
}

/** A check this many minutes into {@link DAY}. */
export function checkAt(minute: number, slot = 1_000 + minute): Entry {
  return makeCheck(new Date(Date.parse(DAY) + minute * 60_000).toISOString(), { slot });
}

/** Packs a day's stored entries; returns the key. */
export async function packOf(place: JournalPlace, names: string[], now = DAY_END + 3 * HOUR): Promise<string> {
  const { pack } = await makePack(place, { day: dayOf(names[0]!), names: names.toSorted(), now });
  return pack!.key;
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

export async function readTexts(place: JournalPlace, names: Iterable<string>): Promise<[string, string][]> {
  const read = await Array.fromAsync(openJournal(place).read(names));
  return read.map((one) => [
    one.name,
    "entry" in one ? new TextDecoder().decode(entryToJson(one.entry)) : `unreadable: ${one.unreadable}`,
  ]);
}

/** All a journal says of itself: names, contents and window digests. */
export async function tellAll(place: JournalPlace) {
  const { names, foreign, unreadable } = await openJournal(place).names();
  const { digestThrough } = await openJournal(place).findStartingPoint({ now: DAY_END, foldVersion: 1, notAfter: "" });
  return { texts: await readTexts(place, names), foreign, unreadable, digests: names.map(digestThrough) };
}
