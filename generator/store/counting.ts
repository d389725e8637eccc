import type { ObjectStore } from "./store.ts";

/** S3 bills a listing by the page. */
const LIST_PAGE_KEYS = 1000;

/** As S3 bills them, retries not counted. */
export interface OperationCounts {
  puts: number;
  /** Pages of 1,000 keys, at least one a listing. */
  lists: number;
  /** Also of heads. */
  gets: number;
  deletes: number;
  /** Of the bodies put. */
  bytes: number;
}

export function countOperations(store: ObjectStore): { store: ObjectStore; counts: OperationCounts } {
  const counts: OperationCounts = { puts: 0, lists: 0, gets: 0, deletes: 0, bytes: 0 };
  const counted: ObjectStore = {
    name: store.name,
    put(key, body, options) {
      counts.puts += 1;
      counts.bytes += body.byteLength;
      return store.put(key, body, options);
    },
    get(key) {
      counts.gets += 1;
      return store.get(key);
    },
    getIfChanged(key, knownEtag) {
      counts.gets += 1;
      return store.getIfChanged(key, knownEtag);
    },
    head(key) {
      counts.gets += 1;
      return store.head(key);
    },
    async *list(prefix, options) {
      let keys = 0;
      counts.lists += 1;
      for await (const head of store.list(prefix, options)) {
        if (keys > 0 && keys % LIST_PAGE_KEYS === 0) counts.lists += 1;
        keys += 1;
        yield head;
      }
    },
    delete(key) {
      counts.deletes += 1;
      return store.delete(key);
    },
  };
  return { store: counted, counts };
}
