import { listCheckpoints, loadCheckpoint, type Checkpointable, type CheckpointHead } from "./checkpoints.ts";
import { MISSING, type UnreadableEntry } from "./entries.ts";
import { openListing, type Listing } from "./listing.ts";
import { dayOf, shiftDay, toDay, type JournalPlace } from "./names.ts";
import { dayOfPack, type PackNames } from "./packs.ts";
import type { RecentNames } from "./recent.ts";

/** Nearly always enough, some three thousand keys. */
const DAYS_BACK = 2;

/** Sorts after every name of its moment. */
const END_OF_MOMENT = "~";

export interface StartingPointQuery<Ledger extends Checkpointable> {
  now: number;
  foldVersion: number;
  /** Latest moment, for a caller that needs to fold what follows. */
  notAfter?: string;
  /** A ledger that the caller still has is tried first. */
  held?: { ledger: Ledger; digest: string };
}

export interface Known {
  packNames?: PackNames;
  recent?: RecentNames;
}

interface Unreadable {
  key: string;
  reason: string;
  isOfNewer?: true;
}

export interface StartingPoint<Ledger extends Checkpointable> {
  ledger: Ledger | null;
  /** The last entry folded. */
  through: string | null;
  /** Entries unreadable when the checkpoint was made, and packs, named by their keys. */
  leftOut: UnreadableEntry[];
  /** To fold, in order. */
  names: string[];
  foreign: string[];
  /** Checkpoints that do not read back cost only time; entries that only a damaged pack holds are unknown. */
  unreadable: Unreadable[];
  /**
   * Of the window that ends with this entry.
   * @throws {RangeError} for one older than the day after the oldest day listed
   */
  digestThrough: (name: string) => string;
}

/**
 * The newest ledger that folded exactly what the journal holds up to its position: a late entry or a ruling makes every
 * later one unfit. Lists three days, and more only while nothing fits.
 */
export async function findStartingPoint<Ledger extends Checkpointable>(
  place: JournalPlace,
  query: StartingPointQuery<Ledger>,
  known: Known = {},
): Promise<StartingPoint<Ledger>> {
  const { packNames, recent } = known;
  const position = query.held?.ledger.position?.time;
  const listing = await openListing(place, {
    fromDay: firstDayOf(query),
    ...(packNames && { packNames }),
    ...(recent && position !== undefined && { onward: { recent, now: query.now, position: Date.parse(position) } }),
  });
  const unreadable: Unreadable[] = [];
  const held = await takeHeld(listing, query);
  const loaded = held === null ? await loadNewest({ place, listing, query, unreadable }) : null;
  const ledger = held ?? loaded?.ledger ?? null;
  if (ledger === null) await listing.reachBack(null);
  const through = ledger?.position?.name ?? null;
  return {
    ledger,
    through,
    leftOut: uniteLeftOut(loaded?.leftOut ?? [], findLostPacks(listing, through)),
    names: listing.namesAfter(through),
    foreign: listing.foreign,
    unreadable: [...listing.unreadable, ...unreadable],
    digestThrough: (name) => listing.digestThrough(name),
  };
}

/** A digest still fits a ledger that never knew these names; before its window it knew them. */
function findLostPacks({ unreadable }: Listing, through: string | null): UnreadableEntry[] {
  const since = through === null ? "" : shiftDay(dayOf(through), -1);
  const lost = unreadable.filter(({ key, isSpare }) => !isSpare && (dayOfPack(key) ?? "") >= since);
  return lost.map(({ key, reason, isOfNewer }) => ({ name: key, unreadable: reason, ...(isOfNewer && { isOfNewer }) }));
}

export function uniteLeftOut(one: readonly UnreadableEntry[], other: readonly UnreadableEntry[]): UnreadableEntry[] {
  return [...new Map([...one, ...other].map((left) => [left.name, left])).values()];
}

function firstDayOf({ now, held }: StartingPointQuery<Checkpointable>): string {
  const fromDay = shiftDay(toDay(now), -DAYS_BACK);
  const name = held?.ledger.position?.name;
  const windowDay = name === undefined ? fromDay : shiftDay(dayOf(name), -1);
  return windowDay > fromDay ? windowDay : fromDay;
}

async function takeHeld<Ledger extends Checkpointable>(
  listing: Listing,
  query: StartingPointQuery<Ledger>,
): Promise<Ledger | null> {
  const { held } = query;
  const name = held?.ledger.position?.name;
  if (held === undefined || name === undefined || isBeyond(name, query)) return null;
  return (await fits(listing, { bound: name, digest: held.digest })) ? held.ledger : null;
}

interface Loaded<Ledger> {
  ledger: Ledger;
  leftOut: UnreadableEntry[];
}

interface Search<Ledger extends Checkpointable> {
  place: JournalPlace;
  listing: Listing;
  query: StartingPointQuery<Ledger>;
  unreadable: Unreadable[];
}

/** A store lists only forwards, and years of checkpoints are long. */
async function loadNewest<Ledger extends Checkpointable>(search: Search<Ledger>): Promise<Loaded<Ledger> | null> {
  const { now, foldVersion } = search.query;
  const fromDay = shiftDay(toDay(now), -DAYS_BACK);
  const recent = await listCheckpoints(search.place, { foldVersion, fromDay });
  const found = await loadFirstFitting(search, recent);
  if (found !== null) return found;
  const all = await listCheckpoints(search.place, { foldVersion, fromDay: null });
  return loadFirstFitting(search, all.slice(recent.length));
}

async function loadFirstFitting<Ledger extends Checkpointable>(
  search: Search<Ledger>,
  heads: CheckpointHead[],
): Promise<Loaded<Ledger> | null> {
  const { place, listing, query, unreadable } = search;
  for (const head of heads) {
    // Exact only to the millisecond: checked again after loading.
    if (isBeyond(head.moment, query)) continue;
    if (!(await fits(listing, { bound: head.moment + END_OF_MOMENT, digest: head.digest }))) continue;
    const loaded = await loadCheckpoint<Ledger>(place, { head, foldVersion: query.foldVersion });
    // Another process may just have deleted it as spare.
    if ("unreadable" in loaded && loaded.unreadable === MISSING) continue;
    if ("unreadable" in loaded) unreadable.push({ key: head.key, reason: loaded.unreadable });
    else if (!isBeyond(loaded.ledger.position?.name ?? "", query)) return loaded;
  }
  return null;
}

async function fits(listing: Listing, { bound, digest }: { bound: string; digest: string }): Promise<boolean> {
  await listing.reachBack(shiftDay(dayOf(bound), -1));
  return listing.digestThrough(bound) === digest;
}

/** The window of a position in the future would not miss today's entries. */
function isBeyond(nameOrMoment: string, { now, notAfter }: StartingPointQuery<Checkpointable>): boolean {
  return (notAfter !== undefined && nameOrMoment > notAfter) || dayOf(nameOrMoment) > toDay(now);
}
