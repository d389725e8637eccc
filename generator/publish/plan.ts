import type { Network } from "../contract/networks.ts";
import type { ObjectReference } from "../contract/objects.ts";
import type { ObjectStore } from "../store/store.ts";
import { auditPublished } from "./audit.ts";
import { deferExports, deferredReferences } from "./deferred.ts";
import type { Manifest, ManifestReading, PublishedDocument } from "./manifest.ts";
import { toItems, type Item } from "./upload.ts";

/** What a manifest says beside the documents. */
export type Provenance = Pick<Manifest, "series" | "foldVersion" | "renderVersion" | "siteUrl" | "journal">;

export interface PlanRequest {
  publicStore: ObjectStore;
  network: Network;
  own: Provenance;
  /** The manifest must say this for the references to be enough; null: they are all there are. */
  expected: Provenance | null;
  /** What may have changed. */
  references: readonly ObjectReference[];
  /** Whether to look for stored documents that are not as they were put. */
  audit: boolean;
  /** Most exports to look at. */
  exportsMax: number;
}

/** What to look at, from one reading of the manifest. */
export interface Plan {
  reading: ManifestReading;
  /** Why nothing may be published; null: it may. */
  obstacle: string | null;
  /** In the order of putting. */
  items: Item[];
  /** Keys of exports left to later runs. */
  deferred: string[];
  /** Keys of stored documents that are not as they were put. */
  stale: Set<string>;
  /** Keys below the network's prefix that belong to no document. */
  foreign: string[];
}

/** A document as it is now, with its hash in hexadecimal. */
export interface Rendered {
  body: Uint8Array;
  sha256: string;
}

/**
 * Plans the documents given, those that earlier runs deferred, and those that the audit finds.
 * @throws {StoreError}
 */
export async function makePlan(
  { audit, network, references, exportsMax, ...request }: PlanRequest,
  reading: ManifestReading,
): Promise<Plan> {
  const { manifest } = reading;
  const obstacle = findObstacle(reading, request);
  const isAudited = audit && manifest !== null && obstacle === null;
  const found = isAudited ? await auditPublished(request.publicStore, manifest) : { stale: [], foreign: [] };
  const stale = new Set(toItems(network, found.stale).map(({ key }) => key));
  const all = toItems(network, [...references, ...deferredReferences(manifest), ...found.stale]);
  return { reading, obstacle, ...deferExports(all, { max: exportsMax, stale }), stale, foreign: found.foreign };
}

/**
 * Whether a document differs from the manifest.
 * @param rendered the document now; null: there is none
 */
export function isChanged(published: PublishedDocument | undefined, rendered: Rendered | null): boolean {
  return published?.sha256 !== rendered?.sha256;
}

/** Whether a document has changed or is stored wrongly. */
export function isDue({ reading, stale }: Plan, { key }: Item, rendered: Rendered | null): boolean {
  return isChanged(reading.manifest?.documents[key], rendered) || (stale.has(key) && rendered !== null);
}

/**
 * Whether to write a manifest although no document changed: at once for other deferred exports, versions, series or
 * site and for a late entry, because until then every run looks at all documents; for a new position once a UTC hour.
 */
export function isManifestDue({ reading: { manifest }, deferred }: Plan, own: Provenance): boolean {
  if (manifest === null || !isOfSameRules(manifest, own)) return true;
  if (new Set(manifest.deferred).symmetricDifference(new Set(deferred)).size > 0) return true;
  const { through, digest } = manifest.journal;
  if (through === own.journal.through) return digest !== own.journal.digest;
  return toHour(through) !== toHour(own.journal.through);
}

/** A newer generator publishes instead; one that published since the references were counted must not be undone. */
function findObstacle(
  reading: ManifestReading,
  { own, expected }: { own: Provenance; expected: Provenance | null },
): string | null {
  const { manifest } = reading;
  if (manifest === null && reading.isOfNewer) return "a newer version publishes";
  if (manifest !== null && manifest.series > own.series) return "a newer series publishes";
  if (manifest !== null && (manifest.foldVersion > own.foldVersion || manifest.renderVersion > own.renderVersion))
    return "a newer version publishes";
  return expected === null || isSame(manifest, expected) ? null : "another generator has just published";
}

function isSame(one: Provenance | null, other: Provenance): boolean {
  if (one === null || !isOfSameRules(one, other)) return false;
  return one.journal.through === other.journal.through && one.journal.digest === other.journal.digest;
}

function isOfSameRules(one: Provenance, other: Provenance): boolean {
  const isSameVersion = one.foldVersion === other.foldVersion && one.renderVersion === other.renderVersion;
  return one.series === other.series && isSameVersion && one.siteUrl === other.siteUrl;
}

/** `2026-11-20/15` of an entry's name. */
function toHour(name: string | null): string | null {
  return name === null ? null : name.slice(0, 13);
}
