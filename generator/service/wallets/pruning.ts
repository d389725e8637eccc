import type { Network } from "../../contract/networks.ts";
import { fromObjectKey, toNetworkPrefixes } from "../../contract/object-keys.ts";
import { countWalletShards, readShardCount } from "../../contract/wallets.ts";
import type { ObjectStore } from "../../store/store.ts";
import { readPublished } from "../published.ts";

/**
 * Deletes shards of indexes with another number of shards than the published index
 * and the one that may be being written. Without a published index it keeps all.
 * @returns how many
 * @throws {StoreError}
 */
export async function pruneWalletShards(
  publicStore: ObjectStore,
  network: Network,
): Promise<number> {
  const index = await readPublished(publicStore, network, "wallets");
  if (index === null) return 0;
  const { shards, stakeAccounts } = index.data;
  const kept = new Set([shards, countWalletShards(stakeAccounts)]);
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
