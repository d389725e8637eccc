import type { Digest } from "../contract/export.ts";
import { fromObjectKey } from "../contract/object-keys.ts";
import { OBJECTS, type ObjectReference } from "../contract/objects.ts";
import type { Manifest } from "./manifest.ts";
import type { Item } from "./upload.ts";

/*
 * A new fact about the past can change the exports of hundreds of epochs, and rendering them all
 * takes longer than an observation may wait. Each run renders a few; the manifest defers the rest
 * to later runs.
 */

/** Deferred documents, together with the list that names them. */
export function deferredReferences(manifest: Manifest | null): ObjectReference[] {
  if (manifest === null || manifest.deferred.length === 0) return [];
  const deferred = manifest.deferred.flatMap((key) => fromObjectKey(manifest.network, key) ?? []);
  return [...deferred, { kind: "exports", names: {} }];
}

/**
 * Keeps tables of all events and the newest epochs, and defers the rest.
 * @param options.max exports that stay, beside those that are `stale`
 */
export function deferExports(
  items: readonly Item[],
  { max, stale }: { max: number; stale: ReadonlySet<string> },
): { items: Item[]; deferred: string[] } {
  const exports = items.filter((item) => isOfMany(item) && !stale.has(item.key));
  const late = exports.sort((one, other) => epochOf(other) - epochOf(one)).slice(max);
  const deferred = new Set(late.map(({ key }) => key));
  return { items: items.filter(({ key }) => !deferred.has(key)), deferred: [...deferred] };
}

/** Published size and hash of each deferred document, by key; null: it was not published yet. */
export function deferredDigests(manifest: Manifest | null): Map<string, Digest | null> {
  return new Map(manifest?.deferred.map((key) => [key, manifest.documents[key] ?? null]));
}

/** Whether it is an export of an epoch or month. */
function isOfMany({ reference: { kind } }: Item): boolean {
  const row = OBJECTS[kind];
  return "table" in row && row.named !== "none";
}

function epochOf({ reference: { names } }: Item): number {
  return "epoch" in names ? names.epoch : Number.MAX_SAFE_INTEGER;
}
