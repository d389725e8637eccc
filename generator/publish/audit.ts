import type { Network } from "../contract/networks.ts";
import { assertObject } from "../contract/object-content.ts";
import { fromObjectKey, toNetworkPrefixes } from "../contract/object-keys.ts";
import type { ObjectReference } from "../contract/objects.ts";
import { getOrDamaged, isUndamaged } from "../store/damaged.ts";
import type { ObjectStore } from "../store/store.ts";
import type { Manifest } from "./manifest.ts";
import type { Item } from "./upload.ts";

interface Audit {
  /** Documents that differ from what was published. */
  stale: ObjectReference[];
  foreign: string[];
}

/** Finds documents that are missing, different or foreign. It compares ETags and reads nothing. */
export async function auditPublished(
  publicStore: ObjectStore,
  { network, documents }: Manifest,
): Promise<Audit> {
  const unseen = new Map(Object.entries(documents));
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
  return {
    stale: [...stale, ...unseen.keys()].flatMap((key) => fromObjectKey(network, key) ?? []),
    foreign,
  };
}

/**
 * Why a stored document is damaged; null: it is whole, but a slower writer, or one that died
 * before its manifest, wrote it.
 */
export async function findDamage(
  publicStore: ObjectStore,
  { network, item }: { network: Network; item: Item },
): Promise<string | null> {
  const object = await getOrDamaged(publicStore, item.key);
  if (object === null) return "it was missing and was put again";
  return isUndamaged(object) && isDocument(object.body, { network, item })
    ? null
    : "it could not be read and was put again";
}

function isDocument(
  body: Uint8Array,
  { network, item }: { network: Network; item: Item },
): boolean {
  try {
    assertObject(network, item.reference, body);
    return true;
  } catch {
    return false;
  }
}
