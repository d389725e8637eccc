import type { Network } from "../contract/networks.ts";
import type { ObjectReference } from "../contract/objects.ts";
import type { ObjectStore } from "../store/store.ts";
import { auditPublished } from "./audit.ts";
import { isChanged, type Rendered } from "./diff.ts";
import { toItems, type Item } from "./items.ts";
import type { ManifestReading } from "./manifest.ts";
import { leaveExports, owedReferences } from "./owed.ts";
import { findObstacle, isManifestDue, type Provenance } from "./provenance.ts";

export interface PlanRequest {
  publicStore: ObjectStore;
  network: Network;
  own: Provenance;
  /** What the manifest must say for the references to be enough; null: they are all there are. */
  expected: Provenance | null;
  /** What may have changed. */
  references: readonly ObjectReference[];
  /** Whether to look for what does not lie in the public store as it was put. */
  audit: boolean;
  /** Most exports to look at. */
  exportsMax: number;
}

/** What there is to look at, seen from one reading of the manifest. */
export interface Plan {
  reading: ManifestReading;
  /** Why nothing must be published; null: it may. */
  obstacle: string | null;
  /** In the order in which they are put. */
  items: Item[];
  /** Keys of exports that may have changed, and are left to later runs. */
  owed: string[];
  /** Keys of documents that do not lie in the store as they were put. */
  stale: Set<string>;
  /** Keys below the network's prefix that are no document's. */
  foreign: string[];
}

/**
 * Says which documents have to be looked at: those named, those that earlier runs have left, and those that the audit finds.
 *
 * @throws {StoreError}
 */
export async function makePlan(
  { audit, network, references, exportsMax, ...request }: PlanRequest,
  reading: ManifestReading,
): Promise<Plan> {
  const { manifest } = reading;
  const isOfNewer = reading.manifest === null && reading.isOfNewer;
  const obstacle = isOfNewer ? "a newer version publishes" : findObstacle(manifest, request);
  const isAudited = audit && manifest !== null && obstacle === null;
  const found = isAudited ? await auditPublished(request.publicStore, manifest) : { stale: [], foreign: [] };
  const stale = new Set(toItems(network, found.stale).map(({ key }) => key));
  const all = toItems(network, [...references, ...owedReferences(manifest), ...found.stale]);
  return { reading, obstacle, ...leaveExports(all, { max: exportsMax, stale }), stale, foreign: found.foreign };
}

/** Whether the manifest has to be written although no document changed: also when other exports are left now than before. */
export function isManifestBehind({ reading: { manifest }, owed }: Plan, own: Provenance): boolean {
  return isManifestDue(manifest, own) || new Set(manifest?.owed).symmetricDifference(new Set(owed)).size > 0;
}

/**
 * Whether an item has to be put, or taken from the manifest.
 *
 * @param rendered the document now; null: there is none.
 */
export function isDue({ reading, stale }: Plan, { key }: Item, rendered: Rendered | null): boolean {
  const published = reading.manifest?.documents[key];
  return isChanged(published, rendered) || (stale.has(key) && rendered !== null);
}
