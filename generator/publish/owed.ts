import type { Digest } from "../contract/export.ts";
import { FORMS } from "../contract/forms.ts";
import { fromObjectKey, OBJECTS, type ObjectReference } from "../contract/objects.ts";
import type { Item } from "./items.ts";
import type { Manifest } from "./manifest.ts";

/*
 * What is learnt of the past can change the exports of hundreds of epochs at once, and to render them takes longer than an
 * observation may wait. So a run may look at a few of them only. The manifest names the others as owed: what lies there is of
 * an earlier state, and the next runs look at them, whatever they have touched themselves.
 */

/** What the runs before have left, and the list that tells of it. */
export function owedReferences(manifest: Manifest | null): ObjectReference[] {
  if (manifest === null || manifest.owed.length === 0) return [];
  const owed = manifest.owed.flatMap((key) => fromObjectKey(manifest.network, key) ?? []);
  return [...owed, { kind: "exports", names: {} }];
}

/**
 * The items without most of the exports, and the keys of those: tables of all events stay, then the newest epochs.
 *
 * @param max exports that stay, beside those that are `stale`: these are looked at whenever they are found.
 */
export function leaveExports(
  items: readonly Item[],
  { max, stale }: { max: number; stale: ReadonlySet<string> },
): { items: Item[]; owed: string[] } {
  const exports = items.filter((item) => isExport(item) && !stale.has(item.key));
  const owed = exports.sort((one, other) => epochOf(other) - epochOf(one)).slice(max);
  const left = new Set(owed.map(({ key }) => key));
  return { items: items.filter(({ key }) => !left.has(key)), owed: [...left] };
}

/** What lies there of each document that is owed; null: nothing. */
export function owedDigests(manifest: Manifest | null): Map<string, Digest | null> {
  return new Map(manifest?.owed.map((key) => [key, manifest.documents[key] ?? null]));
}

function isExport({ reference: { kind } }: Item): boolean {
  return FORMS[OBJECTS[kind].form].folder === FORMS.csv.folder;
}

function epochOf({ reference: { names } }: Item): number {
  return "epoch" in names ? names.epoch : Number.MAX_SAFE_INTEGER;
}
