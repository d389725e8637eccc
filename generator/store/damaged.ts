import { createHash } from "node:crypto";
import { DamagedObjectError, type ObjectStore, type StoredObject } from "./store.ts";

/** Longest copy of a damaged object: enough to see what it is. */
const ASIDE_BYTES_MAX = 16 * 1024 * 1024;
/** Most copies for each key. */
const ASIDE_OBJECTS_MAX = 16;
const HASH_DIGITS = 16;

/** An object whose stored bytes cannot be read. `damaged` says why, in one plain line. */
export interface DamagedObject {
  damaged: string;
}

/**
 * Reads an object and returns damage instead of throwing; null: there is none.
 * @throws {StoreError} for every other failure
 */
export function getOrDamaged(
  store: ObjectStore,
  key: string,
): Promise<StoredObject | DamagedObject | null> {
  return orDamaged(store.get(key));
}

/**
 * Returns the damage that a reading throws.
 * @throws {StoreError} as {@link getOrDamaged}
 */
export async function orDamaged<Got>(got: Promise<Got>): Promise<Got | DamagedObject> {
  try {
    return await got;
  } catch (error) {
    if (error instanceof DamagedObjectError) return { damaged: error.message };
    throw error;
  }
}

/** Whether an object exists and can be read. */
export function isUndamaged(object: StoredObject | DamagedObject | null): object is StoredObject {
  return object !== null && "body" in object;
}

/**
 * Keeps a copy of an object that makes no sense under `quarantine/KEY/HASH`, where equal bytes are
 * one copy. Longer bodies are cut to 16 MB, and from 16 copies of a key on no more are kept.
 */
export async function setAside(store: ObjectStore, { key, body }: StoredObject): Promise<void> {
  const prefix = `quarantine/${key}/`;
  const kept = await Array.fromAsync(store.list(prefix));
  if (kept.length >= ASIDE_OBJECTS_MAX) return;
  const hash = createHash("sha256").update(body).digest("hex").slice(0, HASH_DIGITS);
  const options = { expect: "absent", contentType: "application/octet-stream" } as const;
  await store.put(prefix + hash, body.subarray(0, ASIDE_BYTES_MAX), options);
}
