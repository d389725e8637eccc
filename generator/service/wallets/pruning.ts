import type { z } from "zod";
import type { Network } from "../../contract/networks.ts";
import { fromObjectKey, toNetworkPrefixes, toObjectKey } from "../../contract/objects.ts";
import { countWalletShards, readShardCount, walletsSchema } from "../../contract/wallets.ts";
import { getOrDamaged, isUndamaged } from "../../store/damaged.ts";
import type { ObjectStore } from "../../store/store.ts";

/**
 * Deletes shards of indexes with another number of shards than the published index and the one that may be being
 * written. Without a published index it keeps all.
 * @returns how many
 * @throws {StoreError}
 */
export async function pruneWalletShards(publicStore: ObjectStore, network: Network): Promise<number> {
  const head = await readHead(publicStore, network);
  if (head === null) return 0;
  const kept = new Set([head.shards, countWalletShards(head.stakeAccounts)]);
  const [documents = ""] = toNetworkPrefixes(network);
  const keys: string[] = [];
  for await (const { key } of publicStore.list(`${documents}wallets`)) {
    const reference = fromObjectKey(network, key);
    if (reference?.kind !== "walletShard") continue;
    const count = readShardCount(reference.names.shard);
    if (count !== null && !kept.has(count)) keys.push(key);
  }
  for (const key of keys) await publicStore.delete(key);
  return keys.length;
}

async function readHead(
  publicStore: ObjectStore,
  network: Network,
): Promise<z.infer<typeof walletsSchema>["data"] | null> {
  const object = await getOrDamaged(publicStore, toObjectKey(network, "wallets", {}));
  if (object === null || !isUndamaged(object)) return null;
  try {
    return walletsSchema.parse(JSON.parse(new TextDecoder().decode(object.body))).data;
  } catch {
    // Foreign bytes do not say which shards are in use.
    return null;
  }
}
