import { createHash } from "node:crypto";
import { DamagedObjectError, type ObjectStore, type StoredObject } from "./store.ts";

/** Most bytes kept of one object: enough to see what it is. */
const ASIDE_BYTES_MAX = 16 * 1024 * 1024;
/** Most objects kept that lay under the same key. */
const ASIDE_OBJECTS_MAX = 16;
const HASH_DIGITS = 16;

/** In the place of an object that its store has and cannot give, why. */
export interface DamagedObject {
  damaged: string;
}

/**
 * Gets an object for who goes on without it where it is damaged.
 * @throws {StoreError} for all else that a store could not do.
 */
export async function getOrDamaged(store: ObjectStore, key: string): Promise<StoredObject | DamagedObject | null> {
  try {
    return await store.get(key);
  } catch (error) {
    if (error instanceof DamagedObjectError) return { damaged: error.message };
    throw error;
  }
}

/** Whether there is a whole object to look at. */
export function isUndamaged(object: StoredObject | DamagedObject | null): object is StoredObject {
  return object !== null && "body" in object;
}

/**
 * Keeps a copy of an object that cannot be used: `quarantine/KEY/HASH`. The same bytes are one copy; size and number
 * are bounded.
 * @throws {StoreError}
 */
export async function setAside(store: ObjectStore, { key, body }: StoredObject): Promise<void> {
  const prefix = `quarantine/${key}/`;
  const kept = await Array.fromAsync(store.list(prefix));
  if (kept.length >= ASIDE_OBJECTS_MAX) return;
  const hash = createHash("sha256").update(body).digest("hex").slice(0, HASH_DIGITS);
  const options = { expect: "absent", contentType: "application/octet-stream" } as const;
  await store.put(prefix + hash, body.subarray(0, ASIDE_BYTES_MAX), options);
}
