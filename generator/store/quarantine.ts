import { createHash } from "node:crypto";
import type { ObjectStore, StoredObject } from "./store.ts";

/** Most bytes kept of one object: enough to see what it is. */
const BYTES_MAX = 16 * 1024 * 1024;
/** Most objects kept that lay under the same key. */
const OBJECTS_MAX = 16;
const HASH_DIGITS = 16;

/**
 * Keeps a copy of an object that cannot be used, before another is put in its place: `quarantine/KEY/HASH`. The same bytes
 * are one copy; neither their size nor their number grows without bounds.
 *
 * @throws {StoreError}
 */
export async function setAside(store: ObjectStore, { key, body }: StoredObject): Promise<void> {
  const prefix = `quarantine/${key}/`;
  const kept = await Array.fromAsync(store.list(prefix));
  if (kept.length >= OBJECTS_MAX) return;
  const hash = createHash("sha256").update(body).digest("hex").slice(0, HASH_DIGITS);
  const options = { expect: "absent", contentType: "application/octet-stream" } as const;
  await store.put(prefix + hash, body.subarray(0, BYTES_MAX), options);
}
