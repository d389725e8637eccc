import { isDeepStrictEqual } from "node:util";
import type { Entry } from "../entries/entry.ts";
import type { Ruling } from "../entries/ruling.ts";
import { entryToJson, hashOf, packEntry, type EntryHead, type UnreadableEntry } from "./entries.ts";
import { listAfter } from "./listing.ts";
import { nameAfter, toEntryKey, type JournalPlace } from "./names.ts";
import { packOldest, type Packing } from "./packing.ts";
import { openPack, packRangeOf, toPackKey } from "./packs.ts";
import { readEntries, readJson, type ReadEntry } from "./reading.ts";
import { createReferences } from "./references.ts";
import { listRulings, readRuling, writeRuling, type StoredRuling } from "./rulings.ts";

/** Every function throws a StoreError when the store fails. */
export interface Journal {
  /**
   * Appends an entry after all others and returns its name. Two generators never write the same
   * number.
   * @throws {Error} when the entry is of another network or could not be read back
   */
  append(entry: Entry): Promise<string>;
  /** Appends a ruling and returns its name. */
  rule(ruling: Ruling): Promise<string>;
  /** All rulings that can be read, oldest first. */
  rulings(): Promise<StoredRuling[]>;
  /**
   * What follows an entry.
   * @param name null: before the first
   */
  list(name: string | null): Promise<JournalListing>;
  /**
   * Reads entries in the order of `names`.
   * @param isWanted entries for which it is false are skipped without being parsed
   */
  read(
    names: Iterable<string>,
    isWanted?: (head: EntryHead) => boolean,
  ): AsyncIterable<ReadEntry | UnreadableEntry>;
  /** SHA-256 of an entry's JSON; null: it cannot be read. */
  hashOf(name: string): Promise<string | null>;
  /** Packs the oldest thousand loose entries, or deletes the loose entries that a pack holds. */
  pack(): Promise<Packing>;
}

/** What a listing after an entry found. */
export interface JournalListing {
  /** All numbers up to the newest, whether or not their entries can be read. */
  names: string[];
  /** All, oldest first. */
  rulings: StoredRuling[];
  /** Rulings that cannot be read, by key. */
  unreadable: UnreadableEntry[];
  foreign: string[];
}

/** The newest entry known. */
interface Head {
  name: string | null;
  /** null: there is none, or it cannot be read. */
  hash: string | null;
  entry: Entry | null;
}

/**
 * Whether another entry had the number, and its loose object was packed and deleted while this
 * process was suspended for hours.
 */
async function isTakenInPack(
  place: JournalPlace,
  name: string,
  json: Uint8Array,
): Promise<boolean> {
  const range = packRangeOf(name);
  if ((await place.store.head(toPackKey(place, range))) === null) return false;
  const pack = await openPack(place, range);
  if ("unreadable" in pack) return false;
  const packed = await pack.take(name);
  await pack.close();
  return packed instanceof Uint8Array && hashOf(packed) !== hashOf(json);
}

/**
 * The journal of a network's series. It caches rulings, references and the newest entry;
 * opening reads nothing.
 */
export function openJournal(place: JournalPlace): Journal {
  const references = createReferences();
  const rulings = new Map<string, StoredRuling>();
  let head: Head | null = null;

  async function findHead(): Promise<Head> {
    const { names } = await listAfter(place, null);
    const newest = names.at(-1);
    return newest === undefined ? { name: null, hash: null, entry: null } : readHead(newest);
  }

  async function readHead(name: string): Promise<Head> {
    for await (const read of readEntries(place, { names: [name], references }))
      if ("entry" in read) return { name, hash: read.hash, entry: read.entry };
    return { name, hash: null, entry: null };
  }

  async function readRulings(
    names: readonly string[],
  ): Promise<Pick<JournalListing, "rulings" | "unreadable">> {
    const unreadable: UnreadableEntry[] = [];
    for (const name of names) {
      if (rulings.has(name)) continue;
      const read = await readRuling(place, name);
      if ("unreadable" in read) unreadable.push(read);
      else rulings.set(name, read);
    }
    return { rulings: names.flatMap((name) => rulings.get(name) ?? []), unreadable };
  }

  return {
    async append(entry) {
      if (entry.network !== place.network)
        throw new Error(`an entry of ${entry.network} is not for the journal of ${place.network}`);
      const stored = references.shorten(entry);
      let newest = (head ??= await findHead());
      // If the answer to an earlier append was lost, in this process or one before it, the entry is
      // found.
      while (newest.name === null || !isDeepStrictEqual(newest.entry, entry)) {
        const name = nameAfter(newest.name);
        const json = entryToJson({ name, previous: newest.hash }, stored);
        const options = { expect: "absent", contentType: "application/zstd" } as const;
        const isWritten =
          (await place.store.put(toEntryKey(place, name), packEntry(json), options)) !== null;
        if (isWritten && (await isTakenInPack(place, name, json))) {
          await place.store.delete(toEntryKey(place, name));
          head = newest = await findHead();
          continue;
        }
        newest = isWritten ? { name, hash: hashOf(json), entry } : await readHead(name);
        head = newest;
        if (isWritten) references.written(name, stored);
      }
      return newest.name;
    },
    async rule(ruling) {
      return writeRuling(place, ruling, (await listRulings(place)).length);
    },
    rulings: async () => (await readRulings(await listRulings(place))).rulings,
    async list(name) {
      const found = await listAfter(place, name);
      return { names: found.names, foreign: found.foreign, ...(await readRulings(found.rulings)) };
    },
    async *read(names, isWanted) {
      for await (const read of readEntries(place, {
        names,
        references,
        ...(isWanted && { isWanted }),
      })) {
        if ("entry" in read && (head?.name ?? "") <= read.name) head = read;
        yield read;
      }
    },
    async hashOf(name) {
      const json = await readJson(place, name);
      return json instanceof Uint8Array ? hashOf(json) : null;
    },
    pack: () => packOldest(place),
  };
}
