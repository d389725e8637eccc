import { listBackdated } from "./backdated.ts";
import { digestOfNames } from "./digest.ts";
import { dayOf, fromEntryKey, shiftDay, toSeriesPrefix, type JournalPlace } from "./names.ts";

/** The names of a journal's entries as far back as somebody needed them. */
export interface Listing {
  /** Keys among the entries that are none. */
  foreign: string[];
  /** Makes known every name of this UTC day and all after it; null: all names there are. */
  reachBack(day: string | null): Promise<void>;
  /** All known names after the one given; null: all known names. In order. */
  namesAfter(name: string | null): string[];
  /**
   * The digest of what must have been folded by a ledger whose last entry is the one given: all names up to and with it of
   * its UTC day and of the day before, and every backdated name before those. Both days must have been reached.
   *
   * @param bound an entry's name, or a text that sorts among the names.
   */
  digestThrough(bound: string): string;
}

/** Names and strange keys found in one listing of the store. */
export interface EntryNames {
  /** In order. */
  names: string[];
  /** Keys that are no entry's. */
  foreign: string[];
}

/** Begins a listing that reaches back to a UTC day. */
export async function openListing(place: JournalPlace, { fromDay }: { fromDay: string }): Promise<Listing> {
  // Marks before entries: an entry that was marked meanwhile must not count as known without being listed.
  const backdated = await listBackdated(place);
  const { names, foreign } = await listEntryNames(place, { fromDay });
  const byDay = Map.groupBy(names, dayOf);
  let reached: string | null = fromDay;

  return {
    foreign,

    async reachBack(day) {
      if (reached === null || (day !== null && day >= reached)) return;
      const older = await listEntryNames(place, { fromDay: day, untilDay: reached });
      for (const [olderDay, olderNames] of Map.groupBy(older.names, dayOf)) byDay.set(olderDay, olderNames);
      foreign.push(...older.foreign);
      reached = day;
    },

    namesAfter(name) {
      const days = [...byDay.keys()].filter((day) => name === null || day >= dayOf(name)).sort();
      return days.flatMap((day) => byDay.get(day) ?? []).filter((candidate) => name === null || candidate > name);
    },

    digestThrough(bound) {
      const day = dayOf(bound);
      const dayBefore = shiftDay(day, -1);
      if (reached !== null && dayBefore < reached) throw new RangeError(`the names of ${dayBefore} are not listed yet`);
      const window = [...(byDay.get(dayBefore) ?? []), ...(byDay.get(day) ?? [])].filter((name) => name <= bound);
      return digestOfNames([...backdated.filter((name) => dayOf(name) < dayBefore), ...window]);
    },
  };
}

/**
 * Lists the names of the entries in a store.
 *
 * @param days `fromDay` and all after it (null: from the first), before `untilDay`; UTC days.
 */
export async function listEntryNames(
  place: JournalPlace,
  { fromDay, untilDay }: { fromDay: string | null; untilDay?: string },
): Promise<EntryNames> {
  const found: EntryNames = { names: [], foreign: [] };
  const prefix = toSeriesPrefix(place, "journal");
  for await (const { key } of place.store.list(prefix, fromDay === null ? {} : { startAfter: prefix + fromDay })) {
    if (untilDay !== undefined && key >= prefix + untilDay) break;
    const name = fromEntryKey(place, key);
    if (name === null) found.foreign.push(key);
    else found.names.push(name);
  }
  return found;
}
