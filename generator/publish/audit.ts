import type { Network } from "../contract/networks.ts";
import { fromObjectKey, toNetworkPrefixes, type ObjectReference } from "../contract/objects.ts";
import type { ObjectStore } from "../store/store.ts";
import type { Manifest } from "./manifest.ts";

/** How what lies in the public store differs from the manifest. */
export interface Audit {
  /** Documents that do not lie there as they were put. */
  stale: ObjectReference[];
  /** Keys that no document can have. */
  foreign: string[];
}

/**
 * Finds the documents that do not lie in the public store as they were put: gone, or put over by another writer, for example
 * by one that was slower, or by a run that died before its manifest. Compared by ETag: no document is read. And the keys
 * below the network's prefixes that no document can have.
 *
 * @throws {StoreError}
 */
export async function auditPublished(publicStore: ObjectStore, manifest: Manifest): Promise<Audit> {
  const network: Network = manifest.network;
  const unseen = new Map(Object.entries(manifest.documents));
  const stale: string[] = [];
  const foreign: string[] = [];
  for (const prefix of toNetworkPrefixes(network)) {
    for await (const { key, etag } of publicStore.list(prefix)) {
      const published = unseen.get(key);
      unseen.delete(key);
      if (published !== undefined && published.etag !== etag) stale.push(key);
      if (published === undefined && fromObjectKey(network, key) === null) foreign.push(key);
    }
  }
  return { stale: [...stale, ...unseen.keys()].flatMap((key) => fromObjectKey(network, key) ?? []), foreign };
}

/** The stale ones alone: see {@link auditPublished}. */
export async function findStale(publicStore: ObjectStore, manifest: Manifest): Promise<ObjectReference[]> {
  return (await auditPublished(publicStore, manifest)).stale;
}
