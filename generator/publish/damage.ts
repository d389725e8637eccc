import type { Network } from "../contract/networks.ts";
import { assertObject } from "../contract/object-content.ts";
import { getOrDamaged, isWhole } from "../store/damaged.ts";
import type { ObjectStore } from "../store/store.ts";
import type { Item } from "./items.ts";

/**
 * Why a document that does not lie in the public store as it was put is damaged; null: it is not. A whole document of other
 * bytes was put by a writer that was slower, or died before its manifest: that is no corruption.
 *
 * @throws {StoreError}
 */
export async function findDamage(
  publicStore: ObjectStore,
  { network, item }: { network: Network; item: Item },
): Promise<string | null> {
  const object = await getOrDamaged(publicStore, item.key);
  if (object === null) return "it was gone: put again";
  return isWhole(object) && isDocument(object.body, { network, item }) ? null : "it could not be read: put again";
}

function isDocument(body: Uint8Array, { network, item }: { network: Network; item: Item }): boolean {
  try {
    assertObject(network, item.reference, body);
    return true;
  } catch {
    return false;
  }
}
