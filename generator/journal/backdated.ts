import type { Entry } from "../entries/entry.ts";
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

/**
 * Marks those of a day's loose entries that may have come to lie there unseen and have no mark: a ruling whose writer died
 * before it marked it; and where the day was packed already, all that no pack names, be it put back from a copy, or put by a
 * request that took effect days later. To be called before they are packed: then they are still found after a death.
 */
export async function markUnseen(
  place: JournalPlace,
  { names, isPacked }: { names: readonly string[]; isPacked: boolean },
): Promise<void> {
  const unseen = names.filter((name) => isPacked || isRuling(name));
  if (unseen.length === 0) return;
  const marked = new Set((await listBackdated(place)).names);
  for (const name of unseen) if (!marked.has(name)) await markBackdated(place, name);
}

function isRuling(name: string): boolean {
  return name.includes("-ruling-");
}

/** The names of all marked entries, in order, and keys among the marks that are none. */
export async function listBackdated(place: JournalPlace): Promise<{ names: string[]; foreign: string[] }> {
  const [names, foreign]: [string[], string[]] = [[], []];
  for await (const { key } of place.store.list(toSeriesPrefix(place, "backdated"))) {
    const name = fromEntryKey(place, key, "backdated");
    if (name === null) foreign.push(key);
    else names.push(name);
  }
  return { names, foreign };
}
