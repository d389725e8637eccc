import { LRUCache } from "lru-cache";
import type { CheckEntry, Entry, NamedEntry } from "../ledger/entry.ts";
import { refer, type Base, type ReferringCheck } from "./referring.ts";

/** Whole checks that are kept for those that refer to them: of several generators at once, each has its own. */
const KEPT_MAX = 8;

/** The checks that others refer to, as far as this process knows them. */
export interface Bases {
  /** Keeps an entry that was read whole, if it is a check. */
  remember(entry: NamedEntry): void;
  /** The whole check under a name; undefined: it has to be read. */
  recall(name: string): CheckEntry | undefined;
  /** An entry as it is to be written down: a check by what differs from the last one written whole, where that is little. */
  shorten(entry: Entry): Entry | ReferringCheck;
  /** Says that an entry was written down. Nothing refers to what may not be there. */
  written(name: string, entry: Entry | ReferringCheck): void;
}

export function createBases(): Bases {
  const kept = new LRUCache<string, CheckEntry>({ max: KEPT_MAX });
  let newest: Base | null = null;
  return {
    remember({ name, entry }) {
      if (entry.kind === "check") kept.set(name, entry);
    },
    recall: (name) => kept.get(name),
    shorten: (entry) => (entry.kind === "check" ? (refer(entry, newest) ?? entry) : entry),
    written(name, entry) {
      if (entry.kind !== "check" || "base" in entry) return;
      newest = { name, entry };
      kept.set(name, entry);
    },
  };
}
