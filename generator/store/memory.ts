import { assertKey, assertPrefix } from "./keys.ts";
import type { ObjectHead, ObjectStore, StoredObject } from "./store.ts";

/** Opens an empty store in memory, for tests and trials. It copies bodies in and out, and has no clock. */
export function openMemoryStore(name = "memory:"): ObjectStore {
  const objects = new Map<string, StoredObject>();
  let writes = 0;

  return {
    name,

    // Runs at once, so that calls never interleave.
    put(key, body, { expect }) {
      return attempt(() => {
        assertKey(name, "put", key);
        if (expect === "absent" && objects.has(key)) return null;
        const etag = `"${++writes}"`;
        const size = body.byteLength;
        objects.set(key, { key, etag, size, body: body.slice(), modifiedAt: null });
        return { etag };
      });
    },

    get(key) {
      return attempt(() => {
        assertKey(name, "get", key);
        const object = objects.get(key);
        return object === undefined ? null : toCopy(object);
      });
    },

    getIfChanged(key, knownEtag) {
      return attempt(() => {
        assertKey(name, "get", key);
        const object = objects.get(key);
        if (object === undefined) return null;
        return object.etag === knownEtag ? "unchanged" : toCopy(object);
      });
    },

    head(key) {
      return attempt(() => {
        assertKey(name, "head", key);
        const object = objects.get(key);
        return object === undefined ? null : toHead(object);
      });
    },

    async *list(prefix, { startAfter = "" } = {}) {
      yield* await attempt(() => {
        assertPrefix(name, prefix);
        const listed = [...objects.values()].filter(
          ({ key }) => key.startsWith(prefix) && key > startAfter,
        );
        return listed.map(toHead).sort((one, other) => (one.key < other.key ? -1 : 1));
      });
    },

    delete(key) {
      return attempt(() => {
        assertKey(name, "delete", key);
        objects.delete(key);
      });
    },
  };
}

function attempt<Result>(work: () => Result): Promise<Result> {
  return new Promise((resolve) => resolve(work()));
}

function toCopy(object: StoredObject): StoredObject {
  return { ...object, body: object.body.slice() };
}

function toHead({ key, etag, size }: StoredObject): ObjectHead {
  return { key, etag, size };
}
