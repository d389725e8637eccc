import pLimit from "p-limit";
import { CACHE_CLASSES } from "../contract/cache.ts";
import type { Network } from "../contract/networks.ts";
import { FORMS } from "../contract/forms.ts";
import { OBJECTS, toObjectKey, type ObjectReference } from "../contract/objects.ts";
import type { ObjectStore } from "../store/store.ts";

/**
 * Puts one document with the headers that its kind has in the contract.
 *
 * @returns its ETag.
 * @throws {StoreError}
 */
export async function putDocument(
  publicStore: ObjectStore,
  { network, reference, body }: { network: Network; reference: ObjectReference; body: Uint8Array },
): Promise<string> {
  const key = toObjectKey(network, reference.kind, reference.names);
  const { cache, form } = OBJECTS[reference.kind];
  const options = { contentType: FORMS[form].contentType, cacheControl: CACHE_CLASSES[cache] };
  const written = await publicStore.put(key, body, { expect: "any", ...options });
  if (written === null) throw new Error(`${publicStore.name} refused ${key} although it need not be absent`);
  return written.etag;
}

/**
 * Does something with every item, only so many at a time. After a failure none is begun any more, and it is thrown when
 * those under way have ended: nothing goes on behind the caller's back.
 */
export async function forEachLimited<Item>(
  items: Item[],
  { concurrency, work }: { concurrency: number; work: (item: Item) => Promise<void> },
): Promise<void> {
  const limit = pLimit({ concurrency, rejectOnClear: true });
  const tasks = items.map((item) => limit(work, item));
  try {
    await Promise.all(tasks);
  } finally {
    limit.clearQueue();
    await Promise.allSettled(tasks);
  }
}
