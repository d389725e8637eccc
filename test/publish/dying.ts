import { StoreError, type ObjectStore } from "../../generator/store/store.ts";
import type { Stores } from "./site.ts";

/**
 * The stores of a process that dies at its k-th operation, counted from 1 over
 * both: this one fails, before or after it was done, and so does every later one.
 */
export function dieAt(
  stores: Stores,
  k: number,
  { isDone }: { isDone: boolean },
): Stores & { operations: () => number } {
  let operations = 0;

  function wrap(store: ObjectStore): ObjectStore {
    async function attempt<Result>(
      name: string,
      key: string,
      work: () => Promise<Result>,
    ): Promise<Result> {
      operations += 1;
      const turn = operations;
      const result = turn < k || (turn === k && isDone) ? await work() : undefined;
      if (turn >= k) throw new StoreError(store.name, name, key, "the process died");
      return result as Result;
    }
    return {
      name: store.name,
      put: (key, body, options) => attempt("put", key, () => store.put(key, body, options)),
      get: (key) => attempt("get", key, () => store.get(key)),
      getIfChanged: (key, knownEtag) =>
        attempt("get", key, () => store.getIfChanged(key, knownEtag)),
      head: (key) => attempt("head", key, () => store.head(key)),
      delete: (key) => attempt("delete", key, () => store.delete(key)),
      async *list(prefix, options) {
        await attempt("list", prefix, () => Promise.resolve());
        yield* store.list(prefix, options);
      },
    };
  }

  return {
    publicStore: wrap(stores.publicStore),
    stateStore: wrap(stores.stateStore),
    operations: () => operations,
  };
}
