import { openMemoryStore } from "../../store/memory.ts";
import type { ObjectHead, ObjectStore } from "../../store/store.ts";

/** A store that only reads the one below; what is written or deleted stays in memory. */
export function openRehearsal(below: ObjectStore): ObjectStore {
  const above = openMemoryStore(below.name);
  /** Keys put or deleted here. */
  const hidden = new Set<string>();

  return {
    name: below.name,
    async put(key, body, options) {
      if (options.expect === "absent" && !hidden.has(key) && (await below.head(key)) !== null)
        return null;
      const written = await above.put(key, body, options);
      if (written !== null) hidden.add(key);
      return written;
    },
    get: (key) => (hidden.has(key) ? above.get(key) : below.get(key)),
    getIfChanged: (key, knownEtag) =>
      (hidden.has(key) ? above : below).getIfChanged(key, knownEtag),
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

function takeBefore(heads: ObjectHead[], key: string): ObjectHead[] {
  const end = heads.findIndex((head) => head.key > key);
  return heads.splice(0, end === -1 ? heads.length : end);
}
