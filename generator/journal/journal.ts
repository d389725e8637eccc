import type { Entry, NamedEntry } from "../entries/entry.ts";
import { isBackdated, markBackdated } from "./backdated.ts";
import { saveCheckpoint, type Checkpointable, type Keepable } from "./checkpoints.ts";
import { compact, readBack, type Compaction } from "./compaction.ts";
import { writeEntry, type Fault, type UnreadableEntry } from "./entries.ts";
import { listEntryNames, type EntryNames } from "./listing.ts";
import type { JournalPlace } from "./names.ts";
import { createPackNames, fromPackKey } from "./packs.ts";
import { readEntries } from "./reading.ts";
import { createRecentNames } from "./recent.ts";
import { createReferences } from "./references.ts";
import { findStartingPoint, type StartingPoint, type StartingPointQuery } from "./starting-point.ts";

/** Every function throws StoreError when the store fails. */
export interface Journal {
  /** Unless it exists. Returns its name. */
  append(entry: Entry): Promise<string>;
  /** From a UTC day on (`2026-11-20`). */
  names(fromDay?: string): Promise<EntryNames>;
  read(names: Iterable<string>): AsyncIterable<NamedEntry | UnreadableEntry>;
  /** null: it reads back whole. */
  findPackFault(key: string): Promise<Fault | null>;
  findStartingPoint<Ledger extends Checkpointable>(query: StartingPointQuery<Ledger>): Promise<StartingPoint<Ledger>>;
  /** Only for a position at least 10 minutes past. Returns the key. */
  saveCheckpoint(checkpoint: Keepable): Promise<string>;
  compact(options: { now: number }): Promise<Compaction>;
}

/** @param options.now milliseconds since 1970, to mark entries appended late */
export function openJournal(place: JournalPlace, { now }: { now?: () => number } = {}): Journal {
  const packNames = createPackNames(place);
  const references = createReferences();
  const recent = createRecentNames();
  return {
    async append(entry) {
      const stored = references.shorten(entry);
      const name = await writeEntry(place, stored);
      references.written(name, stored);
      if (isBackdated(entry, now?.() ?? null)) await markBackdated(place, name);
      recent.added(entry.time);
      return name;
    },
    names: (fromDay) => listEntryNames(place, { fromDay: fromDay ?? null, packNames }),
    read: (names) => readEntries(place, { names, references }),
    async findPackFault(key) {
      const head = fromPackKey(place, key);
      return head === null ? { unreadable: "it is no pack of this journal" } : readBack(place, head);
    },
    findStartingPoint: (query) => findStartingPoint(place, query, { packNames, recent }),
    saveCheckpoint: (checkpoint) => saveCheckpoint(place, checkpoint),
    compact: ({ now }) => compact(place, { now, packNames }),
  };
}
