import type { Entry } from "../entries/entry.ts";
import { fromEntryKey, toEntryKey, toSeriesPrefix, type JournalPlace } from "./names.ts";

/*
 * A ruling is filed before its observation, perhaps months back, where no run looks for new entries; so may a late
 * observation be. Each gets a mark, an empty object under its name. Every run lists all marks, so that a checkpoint
 * made without the entry no longer fits.
 */

/** Half of the day that listings notice by themselves (listing.ts), as clocks differ. */
const LATE_MILLISECONDS = 12 * 60 * 60_000;

/** @param now milliseconds since 1970; null: only rulings count */
export function isBackdated({ kind, time }: Pick<Entry, "kind" | "time">, now: number | null): boolean {
  return kind === "ruling" || (now !== null && now - Date.parse(time) > LATE_MILLISECONDS);
}

/** A late mark only makes checkpoints unfit later. */
export async function markBackdated(place: JournalPlace, name: string): Promise<void> {
  const key = toEntryKey(place, name, "backdated");
  await place.store.put(key, new Uint8Array(), { expect: "absent", contentType: "application/octet-stream" });
}

/** Marks rulings, and in a packed day everything that no pack names. Call it before packing them. */
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
