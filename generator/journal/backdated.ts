import type { Entry } from "../ledger/entry.ts";
import { fromEntryKey, toEntryKey, toSeriesPrefix, type JournalPlace } from "./names.ts";

/*
 * A ruling takes its place before the observation it is about, perhaps months ago, where no run looks for new entries. So
 * each has a mark, an empty object in a folder of marks under the ruling's own name, and every run lists all marks: a
 * checkpoint that was made without the ruling then no longer fits.
 */

/** Whether the time of such an entry may lie far before the time it is written. */
export function isBackdated({ kind }: Pick<Entry, "kind">): boolean {
  return kind === "ruling";
}

/** Marks an entry, which must be in the journal already: whoever sees the mark must be able to see the entry too. */
export async function markBackdated(place: JournalPlace, name: string): Promise<void> {
  const key = toEntryKey(place, name, "backdated");
  await place.store.put(key, new Uint8Array(), { expect: "absent", contentType: "application/octet-stream" });
}

/** The names of all marked entries, in order. */
export async function listBackdated(place: JournalPlace): Promise<string[]> {
  const names: string[] = [];
  for await (const { key } of place.store.list(toSeriesPrefix(place, "backdated"))) {
    const name = fromEntryKey(place, key, "backdated");
    if (name !== null) names.push(name);
  }
  return names;
}
