import pLimit from "p-limit";
import { markUnseen } from "../backdated.ts";
import { listDays, type JournalDay } from "../days.ts";
import { refuseBytes, toReason, type UnreadableEntry } from "../entries.ts";
import { toEntryKey, type JournalPlace } from "../names.ts";
import { openPack } from "./content.ts";
import type { PackHead } from "./key.ts";
import { makePack } from "./make.ts";
import { packsBeyond, type PackNames } from "./names.ts";

const HOUR_MILLISECONDS = 3_600_000;
const DAY_MILLISECONDS = 24 * HOUR_MILLISECONDS;

/** A day is packed so long after its end: by then hardly an entry of it is still to come. */
const SETTLED_MILLISECONDS = 3 * HOUR_MILLISECONDS;
/** Loose entries stay so long beside their pack: as long as a run may take that listed them before, and then some. */
const KEPT_MILLISECONDS = 48 * HOUR_MILLISECONDS;
/** A pack from the future was made by a clock far out: nobody can tell how old it is. */
const SKEW_MILLISECONDS = DAY_MILLISECONDS;
const DELETES_AT_A_TIME = 16;

/** What was done. */
export interface Tidied {
  /** A day's loose entries were packed. */
  packed: { day: string; entries: number; bytes: number } | null;
  /** A day's loose entries, held by a pack that was read back, were deleted. */
  deleted: { day: string; entries: number } | null;
  /** Loose entries that cannot be packed. They stay. */
  unreadable: UnreadableEntry[];
  /** Packs that were to be relied on, and do not read back. What is loose of theirs is packed again. */
  damaged: { key: string; reason: string }[];
}

interface Tidying {
  place: JournalPlace;
  now: number;
  packNames: PackNames;
  done: Tidied;
}

/**
 * Does one piece of what is due, of the oldest day that has some: packs the loose entries of a closed day that no pack
 * names, once those that nobody may have seen are marked, or deletes those that a pack named 48 hours ago, once it has read back whole.
 *
 * It may die anywhere, and many may do it at once: packs and entries are named after what is in them, are created if absent
 * and never written again, and only what a pack still holds is deleted. So a write that takes effect late adds what the
 * union had already, and a deletion that does so takes what the pack keeps.
 *
 * @param options `now` in milliseconds since 1970.
 * @throws {StoreError}
 */
export async function tidy(
  place: JournalPlace,
  { now, packNames }: { now: number; packNames: PackNames },
): Promise<Tidied> {
  const done: Tidied = { packed: null, deleted: null, unreadable: [], damaged: [] };
  for await (const day of listDays(place, { fromDay: null })) {
    if (day.loose.length === 0) continue;
    if (now < Date.parse(day.day) + DAY_MILLISECONDS + SETTLED_MILLISECONDS) break;
    if (await tidyDay({ place, now, packNames, done }, day)) break;
  }
  return done;
}

/** Whether there was something to do. */
async function tidyDay(tidying: Tidying, day: JournalDay): Promise<boolean> {
  const homes = await findHomes(tidying, day);
  const homeless = day.loose.filter((name) => !homes.has(name));
  const { now, place } = tidying;
  await markUnseen(place, { names: homeless, isPacked: findPacks(tidying, day).length > 0 });
  if (await packAll(tidying, day.day, homeless)) return true;
  const due = day.loose.filter((name) => now - (homes.get(name)?.packedAt ?? Infinity) >= KEPT_MILLISECONDS);
  let isDone = false;
  for (const [head, names] of Map.groupBy(due, (name) => homes.get(name))) {
    if (head === undefined) continue;
    isDone = true;
    const fault = await readBack(place, head);
    if (fault === null) await deleteAll(tidying, day.day, names);
    else {
      tidying.done.damaged.push({ key: head.key, reason: fault });
      await packAll(tidying, day.day, names);
    }
  }
  return isDone;
}

/**
 * The newest pack that names each loose entry. The newest: where an older one turned out to be damaged and its entries were
 * packed again, their time begins anew.
 */
async function findHomes(tidying: Tidying, day: JournalDay): Promise<Map<string, PackHead>> {
  const homes = new Map<string, PackHead>();
  const beyond = new Set(packsBeyond(day));
  for (const head of findPacks(tidying, day)) {
    const names = beyond.has(head) ? await tidying.packNames.of(head) : day.loose;
    if (!("unreadable" in names)) for (const name of names) homes.set(name, head);
  }
  return homes;
}

/** The packs of a day whose time can be believed, oldest first. */
function findPacks({ now }: Tidying, { packs }: JournalDay): PackHead[] {
  const believed = packs.filter(({ packedAt }) => packedAt <= now + SKEW_MILLISECONDS);
  return believed.sort((one, other) => one.packedAt - other.packedAt);
}

/** Whether anything was packed. */
async function packAll({ place, now, done }: Tidying, day: string, names: string[]): Promise<boolean> {
  const { pack, unreadable } = await makePack(place, { day, names, now });
  done.unreadable.push(...unreadable);
  if (pack === null) return false;
  done.packed = { day, entries: pack.entries, bytes: pack.bytes };
  return true;
}

/** Reads a whole pack, each entry of it; null: all is well, else what is wrong. */
async function readBack(place: JournalPlace, head: PackHead): Promise<string | null> {
  const pack = await openPack(place, head);
  if ("unreadable" in pack) return pack.unreadable;
  try {
    for (const name of pack.names) {
      const line = await pack.take(name);
      const refused = line instanceof Uint8Array ? refuseBytes(place, name, line) : line;
      if (refused !== null) return `${name}: ${refused.unreadable}`;
    }
    await pack.finish();
    return null;
  } catch (error) {
    return toReason(error);
  } finally {
    await pack.close();
  }
}

async function deleteAll({ place, done }: Tidying, day: string, names: string[]): Promise<void> {
  const limit = pLimit(DELETES_AT_A_TIME);
  await Promise.all(names.map((name) => limit(() => place.store.delete(toEntryKey(place, name)))));
  done.deleted = { day, entries: (done.deleted?.entries ?? 0) + names.length };
}
