import { openMemoryStore } from "../../store/memory.ts";
import type { ObjectHead, ObjectStore } from "../../store/store.ts";

/**
 * For trying something out: what is put or deleted stays in memory and is seen as if it were done; the store below is
 * only read.
 */
export function openRehearsal(below: ObjectStore): ObjectStore {
  const above = openMemoryStore(below.name);
  /** What lies in memory or was deleted: below it counts no more. */
  const hidden = new Set<string>();

  return {
    name: below.name,
    async put(key, body, options) {
      if (options.expect === "absent" && !hidden.has(key) && (await below.head(key)) !== null) return null;
      const written = await above.put(key, body, options);
      if (written !== null) hidden.add(key);
      return written;
    },
    get: (key) => (hidden.has(key) ? above.get(key) : below.get(key)),
    getIfChanged: (key, knownEtag) => (hidden.has(key) ? above : below).getIfChanged(key, knownEtag),
    head: (key) => (hidden.has(key) ? above.head(key) : below.head(key)),
    async *list(prefix, options) {
      const added = await Array.fromAsync(above.list(prefix, options));
      for await (const head of below.list(prefix, options)) {
        yield* takeBefore(added, head.key);
        if (!hidden.has(head.key)) yield head;
      }
      yield* added;
    },
    async delete(key) {
      await above.delete(key);
      hidden.add(key);
    },
  };
}

/** Takes those off the front that come before a key, or are it. */
function takeBefore(heads: ObjectHead[], key: string): ObjectHead[] {
  const end = heads.findIndex((head) => head.key > key);
  return heads.splice(0, end === -1 ? heads.length : end);
}
