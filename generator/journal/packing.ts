import pLimit from "p-limit";
import { getOrDamaged } from "../store/damaged.ts";
import {
  parseEntry,
  readHead,
  toFault,
  unpackEntry,
  type Fault,
  type UnreadableEntry,
} from "./entries.ts";
import {
  fromEntryKey,
  numberOf,
  toEntryKey,
  toNames,
  toSeriesPrefix,
  type JournalPlace,
} from "./names.ts";
import {
  encodePack,
  listPacks,
  openPack,
  PACK_ENTRIES,
  packRangeOf,
  toPackKey,
  type PackRange,
} from "./packs.ts";

const REQUESTS_AT_A_TIME = 16;

const LINE_END = 0x0a;

/** What one step of packing did. */
export interface Packing {
  packed: (PackRange & { entries: number; bytes: number }) | null;
  deleted: (PackRange & { entries: number }) | null;
  /** Entries that cannot be read and therefore stay loose. */
  unreadable: UnreadableEntry[];
  /** A pack that could not be read back and was made again from its loose entries. */
  damaged: { key: string; reason: string } | null;
}

/**
 * Deletes the loose entries of an older pack or, if there are none, packs the next thousand. The
 * loose entries of the newest pack stay, because a run that listed them may still read them, and
 * so does the end of the journal. It may be killed or run together with others: a pack holds the
 * same entries whoever makes it, and only entries that a pack holds are deleted.
 */
export async function packOldest(place: JournalPlace): Promise<Packing> {
  const done: Packing = { packed: null, deleted: null, unreadable: [], damaged: null };
  const newest = (await listPacks(place)).at(-1);
  const loose = await listLoose(place);
  const next = { first: (newest?.last ?? 0) + 1, last: (newest?.last ?? 0) + PACK_ENTRIES };
  const older = loose.filter((name) => newest !== undefined && numberOf(name) < newest.first);
  const isDeleted = older.length > 0 && (await deletePacked(place, older, done));
  if (!isDeleted && numberOf(loose.at(-1) ?? null) >= next.last) await makePack(place, next, done);
  return done;
}

async function listLoose(place: JournalPlace): Promise<string[]> {
  const names: string[] = [];
  for await (const { key } of place.store.list(toSeriesPrefix(place, "journal"))) {
    const name = fromEntryKey(place, key);
    if (name !== null) names.push(name);
  }
  return names;
}

/** Deletes the loose entries of one pack. False: no pack holds any of them. */
async function deletePacked(
  place: JournalPlace,
  loose: readonly string[],
  done: Packing,
): Promise<boolean> {
  for (const [first, names] of Map.groupBy(loose, (name) => packRangeOf(name).first)) {
    const range = { first, last: first + PACK_ENTRIES - 1 };
    const found = await readBack(place, range);
    if ("unreadable" in found) {
      done.damaged = { key: toPackKey(place, range), reason: found.unreadable };
      await makePack(place, range, done);
      return true;
    }
    const packed = names.filter((name) => found.names.has(name));
    if (packed.length === 0) continue;
    const limit = pLimit(REQUESTS_AT_A_TIME);
    await Promise.all(
      packed.map((name) => limit(() => place.store.delete(toEntryKey(place, name)))),
    );
    done.deleted = { ...range, entries: packed.length };
    return true;
  }
  return false;
}

/** Reads a whole pack. */
async function readBack(
  place: JournalPlace,
  range: PackRange,
): Promise<{ names: ReadonlySet<string> } | Fault> {
  const pack = await openPack(place, range);
  if ("unreadable" in pack) return pack;
  try {
    for (const name of pack.names) {
      const line = await pack.take(name);
      const fault = line instanceof Uint8Array ? findFault(place, name, line) : line;
      if (fault !== null) return { unreadable: `${name}: ${fault.unreadable}` };
    }
    await pack.finish();
    return { names: pack.names };
  } catch (error) {
    return toFault(error);
  } finally {
    await pack.close();
  }
}

/**
 * Makes a pack of the entries that can be read back. Its header names all of them, so an
 * unreadable entry means to start again without it.
 */
export async function makePack(
  place: JournalPlace,
  range: PackRange,
  done: Packing,
): Promise<void> {
  let wanted = toNames(range.first, range.last);
  while (wanted.length > 0) {
    const left: UnreadableEntry[] = [];
    const body = await encodePack(place, wanted, readJsons(place, wanted, left));
    if (left.length === 0) {
      await place.store.put(toPackKey(place, range), body, {
        expect: "any",
        contentType: "application/zstd",
      });
      done.packed = { ...range, entries: wanted.length, bytes: body.byteLength };
      return;
    }
    done.unreadable.push(...left);
    const out = new Set(left.map(({ name }) => name));
    wanted = wanted.filter((name) => !out.has(name));
  }
}

async function* readJsons(
  place: JournalPlace,
  names: readonly string[],
  left: UnreadableEntry[],
): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < names.length; start += REQUESTS_AT_A_TIME) {
    const batch = names.slice(start, start + REQUESTS_AT_A_TIME);
    const objects = await Promise.all(
      batch.map((name) => getOrDamaged(place.store, toEntryKey(place, name))),
    );
    for (const [index, name] of batch.entries()) {
      const json = unpackEntry(name, objects[index] ?? null);
      const fault = json instanceof Uint8Array ? findFault(place, name, json) : json;
      if (fault !== null) left.push(fault);
      else if (json instanceof Uint8Array) yield json;
    }
  }
}

/** Parses an entry only if it is written otherwise than this version writes it. */
function findFault(place: JournalPlace, name: string, json: Uint8Array): UnreadableEntry | null {
  if (json.includes(LINE_END)) return { name, unreadable: "its JSON is not on one line" };
  if (readHead(place, name, json) !== null) return null;
  const read = parseEntry(place, name, json);
  return "unreadable" in read ? read : null;
}
