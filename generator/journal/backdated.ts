import type { Entry } from "../ledger/entry.ts";
import { fromEntryKey, toEntryKey, toSeriesPrefix, type JournalPlace } from "./names.ts";

/*
 * A ruling takes its place before the observation it is about, perhaps months ago, where no run looks for new entries; an
 * observation that was written long after it was made may too. So each has a mark, an empty object in a folder of marks
 * under the entry's own name, and every run lists all marks: a checkpoint that was made without it then no longer fits.
 */

/** Ledgers notice by themselves what comes up to a day late (listing.ts). Half of that leaves room for clocks that differ. */
const LATE_MILLISECONDS = 12 * 60 * 60_000;

/**
 * Whether an entry takes its place so far back that nobody may look there for a new one: a ruling, or what was observed long
 * before it is written, by a machine that slept in between.
 * @param now milliseconds since 1970; null: only rulings are known to be
 */
export function isBackdated({ kind, time }: Pick<Entry, "kind" | "time">, now: number | null): boolean {
  return kind === "ruling" || (now !== null && now - Date.parse(time) > LATE_MILLISECONDS);
}

/**
 * Marks an entry, which must be in the journal already: whoever sees the mark must be able to see the entry too. A mark is
 * created once and never deleted: one that takes effect long after its writer died makes the checkpoints unfit a little
 * later, and that is all.
 */
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
