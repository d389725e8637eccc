import type { Network } from "../contract/networks.ts";
import type { ObjectReference } from "../contract/objects.ts";
import type { ObjectStore } from "../store/store.ts";
import { auditPublished } from "./audit.ts";
import { deferExports, deferredReferences } from "./deferred.ts";
import type { Manifest, ManifestReading, PublishedDocument } from "./manifest.ts";
import { toItems, type Item } from "./upload.ts";

/** From which entries and by which versions documents were made. */
export type Provenance = Pick<
  Manifest,
  "series" | "foldVersion" | "renderVersion" | "siteUrl" | "journal"
>;

interface PlanRequest {
  publicStore: ObjectStore;
  network: Network;
  own: Provenance;
  /**
   * Provenance that the manifest must have if `references` are changes since it; null: they are
   * all.
   */
  expected: Provenance | null;
  references: readonly ObjectReference[];
  /** Look for stored documents that differ from what was published. */
  audit: boolean;
  exportsMax: number;
}

/** What a publication has to do. */
export interface Plan {
  reading: ManifestReading;
  /** Why nothing may be published. */
  obstacle: string | null;
  /** In the order of upload. */
  items: Item[];
  /** Left to later runs. */
  deferred: string[];
  /** Keys of stored documents that differ from what was published. */
  stale: Set<string>;
  foreign: string[];
}

/** A document's bytes with their SHA-256 in hexadecimal digits. */
export interface Rendered {
  body: Uint8Array;
  sha256: string;
}

/**
 * Plans a publication: the given references, those that earlier runs deferred, and those that the
 * audit finds.
 */
export async function makePlan(
  { audit, network, references, exportsMax, ...request }: PlanRequest,
  reading: ManifestReading,
): Promise<Plan> {
  const { manifest } = reading;
  const obstacle = findObstacle(reading, request);
  const isAudited = audit && manifest !== null && obstacle === null;
  const found = isAudited
    ? await auditPublished(request.publicStore, manifest)
    : { stale: [], foreign: [] };
  const stale = new Set(toItems(network, found.stale).map(({ key }) => key));
  const all = toItems(network, [...references, ...deferredReferences(manifest), ...found.stale]);
  return {
    reading,
    obstacle,
    ...deferExports(all, { max: exportsMax, stale }),
    stale,
    foreign: found.foreign,
  };
}

/**
 * Whether a document differs from the one in the manifest.
 * @param rendered null: there is no document now
 */
export function isChanged(
  published: PublishedDocument | undefined,
  rendered: Rendered | null,
): boolean {
  return published?.sha256 !== rendered?.sha256;
}

/** Whether a document must be written: it changed, or the stored one is damaged. */
export function isDue({ reading, stale }: Plan, { key }: Item, rendered: Rendered | null): boolean {
  return (
    isChanged(reading.manifest?.documents[key], rendered) || (stale.has(key) && rendered !== null)
  );
}

/** About an hour. */
const ENTRIES_BETWEEN = 60;

/**
 * Whether to write the manifest. It is written at once when deferred exports, versions, series or
 * site change and after a ruling on the past, because until then every run examines all documents;
 * for a new position alone it is written now and then.
 */
export function isManifestDue({ reading: { manifest }, deferred }: Plan, own: Provenance): boolean {
  if (manifest === null || !isOfSameRules(manifest, own)) return true;
  if (new Set(manifest.deferred).symmetricDifference(new Set(deferred)).size > 0) return true;
  const { through, digest } = manifest.journal;
  if (through === own.journal.through) return digest !== own.journal.digest;
  return Math.abs(Number(own.journal.through) - Number(through)) >= ENTRIES_BETWEEN;
}

/** What another generator published since the references were counted must not be undone. */
function findObstacle(
  reading: ManifestReading,
  { own, expected }: { own: Provenance; expected: Provenance | null },
): string | null {
  const { manifest } = reading;
  if (manifest === null && reading.isOfNewer) return "a newer version publishes";
  if (manifest !== null && manifest.series > own.series) return "a newer series publishes";
  if (
    manifest !== null &&
    (manifest.foldVersion > own.foldVersion || manifest.renderVersion > own.renderVersion)
  )
    return "a newer version publishes";
  return expected === null || isSameProvenance(manifest, expected)
    ? null
    : "another generator has just published";
}

function isSameProvenance(one: Provenance | null, other: Provenance): boolean {
  if (one === null || !isOfSameRules(one, other)) return false;
  return (
    one.journal.through === other.journal.through && one.journal.digest === other.journal.digest
  );
}

function isOfSameRules(one: Provenance, other: Provenance): boolean {
  const isSameVersion =
    one.foldVersion === other.foldVersion && one.renderVersion === other.renderVersion;
  return one.series === other.series && isSameVersion && one.siteUrl === other.siteUrl;
}
