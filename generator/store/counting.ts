import type { ObjectStore } from "./store.ts";

/** S3 bills a listing by pages of so many keys. */
const LIST_PAGE_KEYS = 1000;

/** Operations as S3 bills them, without retries. */
export interface OperationCounts {
  puts: number;
  /** Pages of 1,000 keys, at least one for each listing. */
  lists: number;
  /** Requests of objects and of heads. */
  gets: number;
  deletes: number;
  /** Bytes of the bodies put. */
  bytes: number;
}

/** An operation that ended. `conflict`: it was to create an object that exists already. */
export interface StoreOperation {
  operation: "put" | "get" | "head" | "list" | "delete";
  outcome: "done" | "failed" | "conflict";
  /** Key of the object, or prefix of the listing. */
  key: string;
  /** Bytes of the body put; 0 for other operations. */
  bytes: number;
}

/**
 * Wraps a store and counts its operations.
 * @param onOperation receives each operation when it ends, but no listing that was left early
 */
export function countOperations(
  store: ObjectStore,
  onOperation: (made: StoreOperation) => void = () => undefined,
): { store: ObjectStore; counts: OperationCounts } {
  const counts: OperationCounts = { puts: 0, lists: 0, gets: 0, deletes: 0, bytes: 0 };

  async function report<Done>(
    made: Pick<StoreOperation, "operation" | "key">,
    work: () => Promise<Done>,
    bytes = 0,
  ) {
    let outcome: StoreOperation["outcome"] = "failed";
    try {
      const done = await work();
      outcome = made.operation === "put" && done === null ? "conflict" : "done";
      return done;
    } finally {
      onOperation({ ...made, outcome, bytes });
    }
  }

  const counted: ObjectStore = {
    name: store.name,
    put(key, body, options) {
      counts.puts += 1;
      counts.bytes += body.byteLength;
      return report(
        { operation: "put", key },
        () => store.put(key, body, options),
        body.byteLength,
      );
    },
    get(key) {
      counts.gets += 1;
      return report({ operation: "get", key }, () => store.get(key));
    },
    getIfChanged(key, knownEtag) {
      counts.gets += 1;
      return report({ operation: "get", key }, () => store.getIfChanged(key, knownEtag));
    },
    head(key) {
      counts.gets += 1;
      return report({ operation: "head", key }, () => store.head(key));
    },
    async *list(prefix, options) {
      let keys = 0;
      counts.lists += 1;
      try {
        for await (const head of store.list(prefix, options)) {
          if (keys > 0 && keys % LIST_PAGE_KEYS === 0) counts.lists += 1;
          keys += 1;
          yield head;
        }
      } catch (error) {
        onOperation({ operation: "list", outcome: "failed", key: prefix, bytes: 0 });
        throw error;
      }
      onOperation({ operation: "list", outcome: "done", key: prefix, bytes: 0 });
    },
    delete(key) {
      counts.deletes += 1;
      return report({ operation: "delete", key }, () => store.delete(key));
    },
  };
  return { store: counted, counts };
}
