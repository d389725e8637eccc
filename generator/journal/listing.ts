import pLimit from "p-limit";
import { listBackdated } from "./backdated.ts";
import type { Fault } from "./entries.ts";
import { dayOf, digestOfNames, fromEntryKey, shiftDay, toSeriesPrefix, type JournalPlace } from "./names.ts";
import { createPackNames, fromPackKey, type PackHead, type PackNames } from "./packs.ts";
import type { RecentNames } from "./recent.ts";

/** Each pack is held whole, some megabytes. */
const PACKS_AT_A_TIME = 4;

export interface Listing {
  /** Keys of no entry, pack or mark. */
  foreign: string[];
  /** Entries that only these hold are unknown. */
  unreadable: UnreadablePack[];
  /** null: to the first day. */
  reachBack(day: string | null): Promise<void>;
  namesAfter(name: string | null): string[];
  /**
   * Digest of the names that a ledger must have folded: up to `bound` all of its UTC day and the day before, and every
   * backdated one before those. Both days must have been listed.
   * @param bound an entry's name, or a text that sorts among the names
   */
  digestThrough(bound: string): string;
}

export interface EntryNames {
  /** In order. */
  names: string[];
  foreign: string[];
  unreadable: UnreadablePack[];
}

interface UnreadablePack {
  key: string;
  reason: string;
  isOfNewer?: true;
  /** Other objects hold all its entries. */
  isSpare: boolean;
}

interface ListingOptions {
  fromDay: string;
  packNames?: PackNames;
  /** `position`: time of the ledger's last entry. */
  onward?: { recent: RecentNames; now: number; position: number };
}

export async function openListing(place: JournalPlace, options: ListingOptions): Promise<Listing> {
  const { fromDay, packNames = createPackNames(place), onward } = options;
  // One marked in between must not count as known without being listed.
  const backdated = await listBackdated(place);
  const query = onward && { fromDay, now: onward.now, marks: backdated.names };
  const known = (query && onward.recent.before({ ...query, position: onward.position })) ?? null;
  const listed = await listEntryNames(place, { fromDay: known?.moment ?? fromDay, packNames });
  const { foreign, unreadable } = listed;
  // A pack names its whole day.
  const names = known === null ? listed.names : [...known.names, ...listed.names.filter((name) => name > known.moment)];
  if (query) onward.recent.keep(query, { names, isWhole: known === null });
  foreign.push(...backdated.foreign);
  const byDay = Map.groupBy(names, dayOf);
  let reached: string | null = fromDay;

  return {
    foreign,
    unreadable,

    async reachBack(day) {
      if (reached === null || (day !== null && day >= reached)) return;
      const older = await listEntryNames(place, { fromDay: day, untilDay: reached, packNames });
      for (const [olderDay, olderNames] of Map.groupBy(older.names, dayOf)) byDay.set(olderDay, olderNames);
      foreign.push(...older.foreign);
      unreadable.push(...older.unreadable);
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
      return digestOfNames([...backdated.names.filter((name) => dayOf(name) < dayBefore), ...window]);
    },
  };
}

/**
 * An entry deleted on the way is found in its pack, which sorts after it.
 * @param options until before `untilDay`; UTC days, or a moment
 */
export async function listEntryNames(
  place: JournalPlace,
  options: { fromDay: string | null; untilDay?: string; packNames?: PackNames },
): Promise<EntryNames> {
  const { packNames = createPackNames(place), ...range } = options;
  const limit = pLimit(PACKS_AT_A_TIME);
  const days: Promise<EntryNames>[] = [];
  for await (const day of listDays(place, range)) days.push(limit(() => uniteDay(day, packNames)));
  const all = await Promise.all(days);
  return {
    names: all.flatMap(({ names }) => names),
    foreign: all.flatMap(({ foreign }) => foreign),
    unreadable: all.flatMap(({ unreadable }) => unreadable),
  };
}

async function uniteDay(day: JournalDay, packNames: PackNames): Promise<EntryNames> {
  const { loose, foreign } = day;
  const beyond = packsBeyond(day);
  if (beyond.length === 0) return { names: loose, foreign, unreadable: [] };
  const united = new Set(loose);
  const whole = new Set<string>();
  const lost: { pack: PackHead; fault: Fault }[] = [];
  for (const pack of beyond) {
    const packed = await packNames.of(pack);
    if ("unreadable" in packed) lost.push({ pack, fault: packed });
    else {
      whole.add(pack.digest);
      for (const name of packed) united.add(name);
    }
  }
  const names = [...united].sort();
  whole.add(digestOfNames(names));
  const unreadable = lost.map(({ pack: { key, digest }, fault: { unreadable: reason, ...kind } }) => ({
    key,
    reason,
    ...kind,
    isSpare: whole.has(digest),
  }));
  return { names, foreign, unreadable };
}

export interface JournalDay {
  day: string;
  /** Entries that are objects of their own, in order. */
  loose: string[];
  packs: PackHead[];
  foreign: string[];
}

/**
 * Oldest first.
 * @param range until before `untilDay`; UTC days
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

export function packsBeyond({ loose, packs }: JournalDay): PackHead[] {
  if (packs.length === 0) return [];
  const digest = digestOfNames(loose);
  return packs.filter((pack) => pack.digest !== digest);
}
