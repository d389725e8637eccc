import pLimit from "p-limit";
import { getOrDamaged, type DamagedObject } from "../store/damaged.ts";
import type { StoredObject } from "../store/store.ts";
import { markUnseen } from "./backdated.ts";
import { refuseBytes, toFault, unpackEntry, type Fault, type UnreadableEntry } from "./entries.ts";
import { listDays, packsBeyond, type JournalDay } from "./listing.ts";
import { toEntryKey, type JournalPlace } from "./names.ts";
import { encodePack, openPack, PACK_ENTRIES_MAX, toPackKey, type PackHead, type PackNames } from "./packs.ts";

const HOUR_MILLISECONDS = 3_600_000;
const DAY_MILLISECONDS = 24 * HOUR_MILLISECONDS;

/** Late entries may come so long after a day's end. */
const SETTLED_MILLISECONDS = 3 * HOUR_MILLISECONDS;
/** A run that listed loose entries before they were packed may still read them. */
const KEPT_MILLISECONDS = 48 * HOUR_MILLISECONDS;
/** The age of packs dated further in the future is unknown. */
const SKEW_MILLISECONDS = DAY_MILLISECONDS;
const REQUESTS_AT_A_TIME = 16;

const LINE_END = 0x0a;

export interface Compaction {
  packed: { day: string; entries: number; bytes: number } | null;
  deleted: { day: string; entries: number } | null;
  /** They stay loose. */
  unreadable: UnreadableEntry[];
  /** Their loose entries are packed again. */
  damaged: { key: string; reason: string }[];
}

interface Running {
  place: JournalPlace;
  now: number;
  packNames: PackNames;
  done: Compaction;
}

/**
 * Packs the loose entries of the oldest closed day that has some, or deletes those that a pack named 48 hours ago. Safe
 * to kill and to run at once with others: objects are named by content and never rewritten, and only what a pack holds
 * is deleted.
 * @param options `now` in milliseconds since 1970
 */
export async function compact(
  place: JournalPlace,
  { now, packNames }: { now: number; packNames: PackNames },
): Promise<Compaction> {
  const done: Compaction = { packed: null, deleted: null, unreadable: [], damaged: [] };
  for await (const day of listDays(place, { fromDay: null })) {
    if (day.loose.length === 0) continue;
    if (now < Date.parse(day.day) + DAY_MILLISECONDS + SETTLED_MILLISECONDS) break;
    if (await compactDay({ place, now, packNames, done }, day)) break;
  }
  return done;
}

async function compactDay(running: Running, day: JournalDay): Promise<boolean> {
  const holders = await findHolders(running, day);
  const unpacked = day.loose.filter((name) => !holders.has(name));
  const { now, place, done } = running;
  await markUnseen(place, { names: unpacked, isPacked: findPacks(running, day).length > 0 });
  if (await packAll(running, day.day, unpacked)) return true;
  const due = day.loose.filter((name) => now - (holders.get(name)?.packedAt ?? Infinity) >= KEPT_MILLISECONDS);
  for (const [head, names] of Map.groupBy(due, (name) => holders.get(name))) {
    if (head === undefined) continue;
    const fault = await readBack(place, head);
    if (fault === null) {
      const limit = pLimit(REQUESTS_AT_A_TIME);
      await Promise.all(names.map((name) => limit(() => place.store.delete(toEntryKey(place, name)))));
      done.deleted = { day: day.day, entries: (done.deleted?.entries ?? 0) + names.length };
    } else {
      done.damaged.push({ key: head.key, reason: fault.unreadable });
      await packAll(running, day.day, names);
    }
  }
  return due.length > 0;
}

/** By name, the newest pack that holds it: after damage to an older one the 48 hours start again. */
async function findHolders(running: Running, day: JournalDay): Promise<Map<string, PackHead>> {
  const holders = new Map<string, PackHead>();
  const beyond = new Set(packsBeyond(day));
  for (const head of findPacks(running, day)) {
    const names = beyond.has(head) ? await running.packNames.of(head) : day.loose;
    if (!("unreadable" in names)) for (const name of names) holders.set(name, head);
  }
  return holders;
}

function findPacks({ now }: Running, { packs }: JournalDay): PackHead[] {
  const believed = packs.filter(({ packedAt }) => packedAt <= now + SKEW_MILLISECONDS);
  return believed.sort((one, other) => one.packedAt - other.packedAt);
}

async function packAll({ place, now, done }: Running, day: string, names: string[]): Promise<boolean> {
  const { pack, unreadable } = await makePack(place, { day, names, now });
  done.unreadable.push(...unreadable);
  if (pack === null) return false;
  done.packed = { day, entries: pack.entries, bytes: pack.bytes };
  return true;
}

/** null: it reads back whole. */
export async function readBack(place: JournalPlace, head: PackHead): Promise<Fault | null> {
  const pack = await openPack(place, head);
  if ("unreadable" in pack) return pack;
  try {
    for (const name of pack.names) {
      const line = await pack.take(name);
      const refused = line instanceof Uint8Array ? refuseBytes(place, name, line) : line;
      if (refused !== null)
        return { unreadable: `${name}: ${refused.unreadable}`, ...(refused.isOfNewer && { isOfNewer: true }) };
    }
    await pack.finish();
    return null;
  } catch (error) {
    return toFault(error);
  } finally {
    await pack.close();
  }
}

export interface Packed {
  pack: { key: string; entries: number; bytes: number } | null;
  unreadable: UnreadableEntry[];
}

/**
 * At most {@link PACK_ENTRIES_MAX}, each only if it reads back.
 * @param options names in order; `now` in milliseconds since 1970
 */
export async function makePack(
  place: JournalPlace,
  { day, names, now }: { day: string; names: readonly string[]; now: number },
): Promise<Packed> {
  let wanted = names.slice(0, PACK_ENTRIES_MAX);
  const unreadable: UnreadableEntry[] = [];
  // The header names all entries: one unreadable entry means to start again without it.
  while (wanted.length > 0) {
    const left: UnreadableEntry[] = [];
    const body = await encodePack(place, { day, names: wanted }, readJsons(place, wanted, left));
    if (left.length === 0) {
      const key = toPackKey(place, { day, packedAt: now, names: wanted });
      await place.store.put(key, body, { expect: "absent", contentType: "application/zstd" });
      return { pack: { key, entries: wanted.length, bytes: body.byteLength }, unreadable };
    }
    unreadable.push(...left);
    const out = new Set(left.map(({ name }) => name));
    wanted = wanted.filter((name) => !out.has(name));
  }
  return { pack: null, unreadable };
}

async function* readJsons(
  place: JournalPlace,
  names: readonly string[],
  left: UnreadableEntry[],
): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < names.length; start += REQUESTS_AT_A_TIME) {
    const batch = names.slice(start, start + REQUESTS_AT_A_TIME);
    const objects = await Promise.all(batch.map((name) => getOrDamaged(place.store, toEntryKey(place, name))));
    for (const [index, name] of batch.entries()) {
      const json = await unpackJson(place, name, objects[index] ?? null);
      if (json instanceof Uint8Array) yield json;
      else left.push(json);
    }
  }
}

async function unpackJson(
  place: JournalPlace,
  name: string,
  object: StoredObject | DamagedObject | null,
): Promise<Uint8Array | UnreadableEntry> {
  const json = await unpackEntry(name, object);
  if (!(json instanceof Uint8Array)) return json;
  const refused = refuseBytes(place, name, json);
  if (refused !== null) return refused;
  return json.includes(LINE_END) ? { name, unreadable: "its JSON is not on one line" } : json;
}
