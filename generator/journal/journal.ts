import type { Entry, NamedEntry } from "../ledger/entry.ts";
import { isBackdated, markBackdated } from "./backdated.ts";
import { findBase, type Base, type BaseQuery } from "./base.ts";
import { saveCheckpoint, type Ledger } from "./checkpoints.ts";
import { decodeEntry, writeEntry, type UnreadableEntry } from "./entries.ts";
import { listEntryNames, type EntryNames } from "./listing.ts";
import { toEntryKey, type JournalPlace } from "./names.ts";

/** Objects got at the same time: hides the way to the store. Only one of them at a time is unpacked, to ten times its size. */
const READ_AHEAD = 16;

/** The journal of one network and series. Every function throws a StoreError when the store cannot do what it asks. */
export interface Journal {
  /** Adds an entry, once: the same one again changes nothing. Gives its name. */
  append(entry: Entry): Promise<string>;
  /** Names of all entries from a UTC day on (`2026-11-20`), or of all there are. */
  names(fromDay?: string): Promise<EntryNames>;
  /** The entries under these names, in the order of the names; in the place of one that cannot be used, why. */
  read(names: Iterable<string>): AsyncIterable<NamedEntry | UnreadableEntry>;
  /** From where to fold, and what: see {@link findBase}. */
  findBase(query: BaseQuery): Promise<Base>;
  /** Keeps a ledger for later runs; only for a position at least 10 minutes past. Gives the checkpoint's key. */
  saveCheckpoint(checkpoint: { ledger: Ledger; foldVersion: number; digest: string }): Promise<string>;
}

/** Opens a journal; does no I/O. */
export function openJournal(place: JournalPlace): Journal {
  return {
    async append(entry) {
      const name = await writeEntry(place, entry);
      if (isBackdated(entry)) await markBackdated(place, name);
      return name;
    },
    names: (fromDay) => listEntryNames(place, { fromDay: fromDay ?? null }),
    read: (names) => readInOrder(place, names),
    findBase: (query) => findBase(place, query),
    saveCheckpoint: (checkpoint) => saveCheckpoint(place, checkpoint),
  };
}

async function* readInOrder(place: JournalPlace, names: Iterable<string>): AsyncIterable<NamedEntry | UnreadableEntry> {
  const ahead: (() => Promise<NamedEntry | UnreadableEntry>)[] = [];
  for (const name of names) {
    ahead.push(startReading(place, name));
    const next = ahead.length === READ_AHEAD ? ahead.shift() : undefined;
    if (next !== undefined) yield await next();
  }
  for (const next of ahead) yield await next();
}

/** Begins to get an entry; it is unpacked when it is asked for. */
function startReading(place: JournalPlace, name: string): () => Promise<NamedEntry | UnreadableEntry> {
  // Settled rather than awaited: one that fails before its turn must not count as a rejection nobody handles.
  const got = Promise.allSettled([place.store.get(toEntryKey(place, name))]);
  return async () => {
    const [result] = await got;
    if (result.status === "rejected") throw result.reason;
    return decodeEntry(place, name, result.value);
  };
}
