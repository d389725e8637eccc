import { LRUCache } from "lru-cache";
import type { CheckEntry, Entry, NamedEntry } from "../entries/entry.ts";
import { refer, type Base, type ReferringCheck } from "./referring.ts";

/** Whole checks that are kept for those that refer to them: of several generators at once, each has its own of each endpoint. */
const KEPT_MAX = 16;

/** The checks that others refer to, as far as this process knows them. */
export interface Bases {
  /** Keeps an entry that was read whole, if it is a check. */
  remember(entry: NamedEntry): void;
  /** The whole check under a name; undefined: it has to be read. */
  recall(name: string): CheckEntry | undefined;
  /**
   * An entry as it is to be written down: a check by what differs from the last one of its endpoint that was written whole,
   * where that is little. Endpoints are read in turns, and of two versions each row can differ.
   */
  shorten(entry: Entry): Entry | ReferringCheck;
  /** Says that an entry was written down. Nothing refers to what may not be there. */
  written(name: string, entry: Entry | ReferringCheck): void;
}

export function createBases(): Bases {
  const kept = new LRUCache<string, CheckEntry>({ max: KEPT_MAX });
  const newest = new LRUCache<string, Base>({ max: KEPT_MAX });
  return {
    remember({ name, entry }) {
      if (entry.kind === "check") kept.set(name, entry);
    },
    recall: (name) => kept.get(name),
    shorten: (entry) => (entry.kind === "check" ? (refer(entry, newest.get(entry.endpoint) ?? null) ?? entry) : entry),
    written(name, entry) {
      if (entry.kind !== "check" || "base" in entry) return;
      newest.set(entry.endpoint, { name, entry });
      kept.set(name, entry);
    },
  };
}
