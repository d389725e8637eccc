import type { Entry } from "../entries/entry.ts";
import { fromEntryKey, toEntryKey, toSeriesPrefix, type JournalPlace } from "./names.ts";

/*
 * A ruling takes its place before its observation, perhaps months ago, where no run looks for new entries; a late
 * observation may too. So each has a mark, an empty object under the entry's own name, and every run lists all marks: a
 * checkpoint made without it then no longer fits.
 */

/**
 * Ledgers notice by themselves what is up to a day late (listing.ts). Half of that leaves room for clocks that differ.
 */
const LATE_MILLISECONDS = 12 * 60 * 60_000;

/**
 * Whether nobody may look for a new entry where it takes its place: a ruling, or an observation written long after it
 * was made.
 * @param now milliseconds since 1970; null: only rulings are known to be
 */
export function isBackdated({ kind, time }: Pick<Entry, "kind" | "time">, now: number | null): boolean {
  return kind === "ruling" || (now !== null && now - Date.parse(time) > LATE_MILLISECONDS);
}

/**
 * Marks an entry that is in the journal already. A mark that takes effect long after its writer died makes the
 * checkpoints unfit a little later, and that is all.
 */
export async function markBackdated(place: JournalPlace, name: string): Promise<void> {
  const key = toEntryKey(place, name, "backdated");
  await place.store.put(key, new Uint8Array(), { expect: "absent", contentType: "application/octet-stream" });
}

/**
 * Marks a day's loose entries that may have come unseen: a ruling whose writer died before it marked it; and in a
 * packed day all that no pack names. To be called before they are packed.
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

export async function listBackdated(place: JournalPlace): Promise<{ names: string[]; foreign: string[] }> {
  const [names, foreign]: [string[], string[]] = [[], []];
  for await (const { key } of place.store.list(toSeriesPrefix(place, "backdated"))) {
    const name = fromEntryKey(place, key, "backdated");
    if (name === null) foreign.push(key);
    else names.push(name);
  }
  return { names, foreign };
}
