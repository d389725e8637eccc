import { DamagedObjectError, type ObjectStore, type StoredObject } from "./store.ts";

/** In the place of an object that its store has and cannot give, why. */
export interface DamagedObject {
  damaged: string;
}

/**
 * Gets an object for who goes on without it where it is damaged. In a file a flipped bit is found by who reads the content; a
 * server that keeps checksums finds it before.
 *
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
export function isWhole(object: StoredObject | DamagedObject | null): object is StoredObject {
  return object !== null && "body" in object;
}
