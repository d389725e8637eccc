import type { Network } from "../contract/networks.ts";
import { toObjectKey } from "../contract/object-keys.ts";
import { OBJECTS, type DocumentOf } from "../contract/objects.ts";
import { getOrDamaged, isUndamaged } from "../store/damaged.ts";
import type { ObjectStore } from "../store/store.ts";

/**
 * A published document; null: it is missing, damaged or foreign.
 * @throws {StoreError}
 */
export async function readPublished<Kind extends "status" | "wallets">(
  publicStore: ObjectStore,
  network: Network,
  kind: Kind,
): Promise<DocumentOf<Kind> | null> {
  const object = await getOrDamaged(publicStore, toObjectKey(network, kind, {}));
  if (!isUndamaged(object)) return null;
  const json: unknown = await new Response(object.body.slice()).json().catch(() => null);
  return (OBJECTS[kind].schema.safeParse(json).data ?? null) as DocumentOf<Kind> | null;
}
