import { createHash } from "node:crypto";
import pLimit from "p-limit";
import { CACHE_CLASSES } from "../contract/cache.ts";
import { FORMS } from "../contract/forms.ts";
import type { Network } from "../contract/networks.ts";
import { toObjectKey } from "../contract/object-keys.ts";
import { OBJECTS, type ObjectReference } from "../contract/objects.ts";
import type { ObjectStore } from "../store/store.ts";

/** A document to write. */
export interface Item {
  key: string;
  reference: ObjectReference;
  /** Items of one stage may be put at once. */
  stage: number;
}

/** Documents in the order of upload, without the status. */
export function toItems(network: Network, references: Iterable<ObjectReference>): Item[] {
  const items = new Map<string, Item>();
  for (const reference of references) {
    const { stage } = OBJECTS[reference.kind];
    const key = toObjectKey(network, reference.kind, reference.names);
    if (stage !== null) items.set(key, { key, reference, stage });
  }
  return [...items.values()].sort((one, other) => one.stage - other.stage);
}

/** SHA-256 in hexadecimal digits. */
export function toSha256(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}

/** Writes a document and returns its ETag. */
export async function putDocument(
  publicStore: ObjectStore,
  { network, reference, body }: { network: Network; reference: ObjectReference; body: Uint8Array },
): Promise<string> {
  const key = toObjectKey(network, reference.kind, reference.names);
  const { cache, form } = OBJECTS[reference.kind];
  const options = { contentType: FORMS[form].contentType, cacheControl: CACHE_CLASSES[cache] };
  const written = await publicStore.put(key, body, { expect: "any", ...options });
  if (written === null) throw new Error(`${publicStore.name} refused to overwrite ${key}`);
  return written.etag;
}

/**
 * Runs work with a limit. After a failure it starts nothing more, waits for running work, then
 * throws.
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
