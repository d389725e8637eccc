import { createHash } from "node:crypto";
import type { ObjectStore, StoredObject } from "../../generator/store/store.ts";

export interface Stores {
  publicStore: ForkedStore;
  stateStore: ForkedStore;
}

/** A store in memory that can be reset. ETags are hashes, as with S3. */
export interface ForkedStore extends ObjectStore {
  /** An independent copy; bodies are shared, since nobody changes one in place. */
  fork(): ForkedStore;
  become(other: ForkedStore): void;
  objects(): StoredObject[];
  etags(): Map<string, string>;
}

export function openForkedStore(name: string, initial: Iterable<StoredObject> = []): ForkedStore {
  const objects = new Map<string, StoredObject>();
  const take = (all: Iterable<StoredObject>) => {
    objects.clear();
    for (const object of all) objects.set(object.key, object);
  };
  take(initial);
  return {
    name,
    put: (key, body, { expect }) => {
      if (expect === "absent" && objects.has(key)) return Promise.resolve(null);
      const etag = `"${createHash("md5").update(body).digest("hex")}"`;
      const size = body.byteLength;
      objects.set(key, { key, etag, size, body: body.slice(), modifiedAt: null });
      return Promise.resolve({ etag });
    },
    get: (key) => Promise.resolve(objects.get(key) ?? null),
    getIfChanged: (key, knownEtag) => {
      const object = objects.get(key) ?? null;
      return Promise.resolve(object?.etag === knownEtag ? "unchanged" : object);
    },
    head: (key) => Promise.resolve(objects.get(key) ?? null),
    delete: (key) => {
      objects.delete(key);
      return Promise.resolve();
    },
    async *list(prefix, { startAfter = "" } = {}) {
      const keys = [...objects.keys()]
        .filter((key) => key.startsWith(prefix) && key > startAfter)
        .sort();
      yield* await Promise.resolve(keys.flatMap((key) => objects.get(key) ?? []));
    },
    fork: () => openForkedStore(name, objects.values()),
    become: (other) => take(other.objects()),
    objects: () => [...objects.values()],
    etags: () => new Map([...objects.values()].map(({ key, etag }) => [key, etag])),
  };
}

export function openStores(): Stores {
  return {
    publicStore: openForkedStore("memory:public"),
    stateStore: openForkedStore("memory:state"),
  };
}

export function forkStores({ publicStore, stateStore }: Stores): Stores {
  return { publicStore: publicStore.fork(), stateStore: stateStore.fork() };
}
