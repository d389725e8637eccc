import { LRUCache } from "lru-cache";
import { digestOfNames } from "../digest.ts";
import type { JournalDay } from "../days.ts";
import type { JournalPlace } from "../names.ts";
import { openPack } from "./content.ts";
import type { PackHead } from "./key.ts";

/** Packs whose names are kept: those of the days that every run looks at. */
const KEPT_MAX = 8;

/** Tells what packs hold, and remembers it: a pack is never written again. */
export interface PackNames {
  /** The names of a pack's entries in order, or why they cannot be known. @throws {StoreError} */
  of(head: PackHead): Promise<readonly string[] | { unreadable: string }>;
}

export function createPackNames(place: JournalPlace): PackNames {
  const kept = new LRUCache<string, readonly string[]>({ max: KEPT_MAX });
  return {
    async of(head) {
      const known = kept.get(head.key);
      if (known !== undefined) return known;
      const pack = await openPack(place, head);
      if ("unreadable" in pack) return pack;
      await pack.close();
      kept.set(head.key, pack.names);
      return pack.names;
    },
  };
}

/** The packs of a day that name more than its loose entries; to know the others' names they need not be got. */
export function packsBeyond({ loose, packs }: JournalDay): PackHead[] {
  if (packs.length === 0) return [];
  const digest = digestOfNames(loose);
  return packs.filter((pack) => pack.digest !== digest);
}
