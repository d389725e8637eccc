import { LRUCache } from "lru-cache";

/** What the proxy holds besides the snapshots, whose size the generator decides. */
export const MEMORY = {
  /** 10,000 profiles. */
  documentsMaxBytes: 64 * 1024 * 1024,
  /** A place of their own: anybody can ask for many wallets, and must not push out documents. */
  walletShardsMaxBytes: 16 * 1024 * 1024,
  /** Ten times the largest document at planning size. */
  documentMaxBytes: 8 * 1024 * 1024,
  /** 4,096 entries without a body. */
  missingMaxBytes: 8 * 1024 * 1024,
  answersOfNetworkMaxBytes: 16 * 1024 * 1024,
  variantsMaxBytes: 32 * 1024 * 1024,
  responsesMaxBytes: 16 * 1024 * 1024,
  /** An entry without its body: key, ETag, closures, list node. */
  entryBytes: 2_048,
} as const;

export interface CachePlace {
  name: "documents" | "wallet_shards" | "missing_documents" | "answers" | "variants" | "responses";
  maxBytes: number;
  getBytes: () => number;
}

export type OnPlace = (place: CachePlace) => void;

export function createPlace<Value extends object>(
  name: CachePlace["name"],
  maxSize: number,
  onPlace?: OnPlace,
) {
  const cache = new LRUCache<string, Value>({ maxSize });
  onPlace?.({ name, maxBytes: maxSize, getBytes: () => cache.calculatedSize });
  return cache;
}

export function toSize(bodyBytes: number): { size: number } {
  return { size: MEMORY.entryBytes + bodyBytes };
}
