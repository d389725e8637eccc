import type { Network } from "../contract/networks.ts";
import { fromObjectKey, toNetworkPrefix, type ObjectReference } from "../contract/objects.ts";
import type { ObjectStore } from "../store/store.ts";
import type { Manifest } from "./manifest.ts";

/**
 * The documents that do not lie in the public store as they were put: gone, or put over by another writer, for example by
 * one that was slower, or by a run that died before its manifest. Compared by ETag: no document is read.
 *
 * @throws {StoreError}
 */
export async function findStale(publicStore: ObjectStore, manifest: Manifest): Promise<ObjectReference[]> {
  const network: Network = manifest.network;
  const unseen = new Map(Object.entries(manifest.documents));
  const stale: string[] = [];
  for await (const { key, etag } of publicStore.list(toNetworkPrefix(network))) {
    const published = unseen.get(key);
    unseen.delete(key);
    if (published !== undefined && published.etag !== etag) stale.push(key);
  }
  return [...stale, ...unseen.keys()].flatMap((key) => fromObjectKey(network, key) ?? []);
}
