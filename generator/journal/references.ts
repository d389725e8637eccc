import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { CheckEntry, Entry, SnapshotEntry } from "../entries/entry.ts";
import { isEntryName } from "./names.ts";
import { referCheck, referringCheckSchema, resolveCheck } from "./referring-check.ts";
import { referSnapshot, referringSnapshotSchema, resolveSnapshot } from "./referring-snapshot.ts";
import { REFERRING_FORMAT, type Reference } from "./referring.ts";

/* Observations stored as their difference from an earlier one. Only the journal knows this form. */

/** Several generators have one for each endpoint. */
const KEPT_MAX = 16;

/** An entry as stored that refers to another one. */
export const referringSchema = z.discriminatedUnion("kind", [
  referringCheckSchema,
  referringSnapshotSchema,
]);

/** An entry that is stored as its difference from another. */
export type Referring = z.infer<typeof referringSchema>;

/** The kinds of entry that can refer to another. */
export type Observation = CheckEntry | SnapshotEntry;

/**
 * The last entries that others may refer to. `add` keeps what was read, `written` what was
 * stored.
 */
export interface References {
  add(name: string, entry: Entry): void;
  recall(name: string): Observation | undefined;
  /**
   * The entry as its difference from the last whole one, or the entry itself. Each endpoint has
   * its own reference, because all rows of two endpoints can differ.
   */
  shorten(entry: Entry): Entry | Referring;
  /** Call it after the write: nothing may refer to an entry that may be missing. */
  written(name: string, entry: Entry | Referring): void;
}

/** No entries yet. It keeps the 16 used last. */
export function createReferences(): References {
  const kept = new LRUCache<string, Observation>({ max: KEPT_MAX });
  const newest = new LRUCache<string, Reference>({ max: KEPT_MAX });
  return {
    add(name, entry) {
      if (isObservation(entry)) kept.set(name, entry);
    },
    recall: (name) => kept.get(name),
    shorten(entry) {
      const reference = isObservation(entry) ? newest.get(keyOf(entry)) : undefined;
      return (reference !== undefined && refer(entry, reference)) || entry;
    },
    written(name, entry) {
      if (entry.format === REFERRING_FORMAT || !isObservation(entry)) return;
      newest.set(keyOf(entry), { name, entry });
      kept.set(name, entry);
    },
  };
}

/** Whether an entry is of a kind that can refer to another. */
export function isObservation(entry: Entry): entry is Observation {
  return entry.kind === "check" || entry.kind === "snapshot";
}

function keyOf({ kind, endpoint }: Observation): string {
  return `${kind} ${endpoint}`;
}

function refer(entry: Entry, { name, entry: reference }: Reference): Referring | null {
  if (entry.kind === "check" && reference.kind === "check")
    return referCheck(entry, { name, entry: reference });
  if (entry.kind === "snapshot" && reference.kind === "snapshot")
    return referSnapshot(entry, { name, entry: reference });
  return null;
}

/**
 * Restores an entry from its difference.
 * @throws {Error} when it was not made from this reference
 */
export function resolve(referring: Referring, reference: Observation): Observation {
  if (referring.kind === "check" && reference.kind === "check")
    return resolveCheck(referring, reference);
  if (referring.kind === "snapshot" && reference.kind === "snapshot")
    return resolveSnapshot(referring, reference);
  throw new Error(`it refers to ${referring.base}, which is no ${referring.kind}`);
}

/** Why a reference is not allowed: it must be to an earlier entry. null: it is allowed. */
export function refuseReference(name: string, { base }: Referring): string | null {
  return isEntryName(base) && base < name
    ? null
    : `it refers to ${JSON.stringify(base)}, which is not before it`;
}
