import { fromEntryKey, toSeriesPrefix, type JournalPlace } from "./names.ts";
import { fromPackKey, type PackHead } from "./packs/key.ts";

/** What lies in a journal of one UTC day. */
export interface JournalDay {
  day: string;
  /** Names of the entries that are objects of their own, in order. */
  loose: string[];
  packs: PackHead[];
  /** Keys that are neither. */
  foreign: string[];
}

/**
 * The days of a journal, oldest first, in one listing of the store.
 *
 * @param range `fromDay` and all after it (null: from the first), before `untilDay`; UTC days.
 */
export async function* listDays(
  place: JournalPlace,
  { fromDay, untilDay }: { fromDay: string | null; untilDay?: string },
): AsyncGenerator<JournalDay> {
  const prefix = toSeriesPrefix(place, "journal");
  let current = null as JournalDay | null;
  for await (const { key } of place.store.list(prefix, fromDay === null ? {} : { startAfter: prefix + fromDay })) {
    if (untilDay !== undefined && key >= prefix + untilDay) break;
    const [day = ""] = key.slice(prefix.length).split("/");
    if (day !== current?.day) {
      if (current !== null) yield current;
      current = { day, loose: [], packs: [], foreign: [] };
    }
    addKey(place, current, key);
  }
  if (current !== null) yield current;
}

function addKey(place: JournalPlace, day: JournalDay, key: string): void {
  const name = fromEntryKey(place, key);
  const pack = name === null ? fromPackKey(place, key) : null;
  if (name !== null) day.loose.push(name);
  else if (pack !== null) day.packs.push(pack);
  else day.foreign.push(key);
}
