import { LRUCache } from "lru-cache";

/** The sum of these bounds what the proxy remembers beside the snapshots, which only the generator makes larger. */
export const MEMORY = {
  /** Ten thousand profiles; found ones only. */
  documentsMaxBytes: 64 * 1024 * 1024,
  /** Shards of the wallet index are as many as wallets are asked for: they must push out only each other. */
  walletShardsMaxBytes: 16 * 1024 * 1024,
  /** Of one document: ten times the largest at planning size. */
  documentMaxBytes: 8 * 1024 * 1024,
  missingMaxEntries: 4_096,
  answersOfNetworkMaxBytes: 16 * 1024 * 1024,
  variantsMaxBytes: 32 * 1024 * 1024,
  responsesMaxBytes: 16 * 1024 * 1024,
  /** What an entry costs beside its body: key, ETag, closures, its place in the list. */
  entryBytes: 2_048,
} as const;

export interface CachePlace {
  name: "documents" | "wallet_shards" | "missing_documents" | "answers" | "variants" | "responses";
  maxBytes: number;
  getBytes: () => number;
}

export type OnPlace = (place: CachePlace) => void;

export function createPlace<Value extends object>(name: CachePlace["name"], maxSize: number, onPlace?: OnPlace) {
  const cache = new LRUCache<string, Value>({ maxSize });
  onPlace?.({ name, maxBytes: maxSize, getBytes: () => cache.calculatedSize });
  return cache;
}

export function toSize(bodyBytes: number): { size: number } {
  return { size: MEMORY.entryBytes + bodyBytes };
}
