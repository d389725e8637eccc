import { StoreError, type ObjectStore } from "../../generator/store/store.ts";

/**
 * What becomes of the operation at which a process dies: it never took effect; it did, but the answer was lost; or it takes
 * effect at some later time, when its writer is long dead.
 */
export type Fate = "lost" | "done" | "late";

/** What every operation of a dead process fails with. */
export const DEATH = "the process died";

/** The two stores as one process sees them. */
export interface Seen {
  publicStore: ObjectStore;
  stateStore: ObjectStore;
}

/** An operation as the process asked for it, counted from 1 over both stores. */
export interface Operation {
  number: number;
  name: "put" | "get" | "head" | "list" | "delete";
  key: string;
}

/** Lets each operation on either store happen when `gate` has let it through; a listing is one operation. */
export function guard(
  stores: Seen,
  gate: (operation: Operation, act: () => Promise<unknown>) => Promise<unknown>,
): Seen {
  let number = 0;
  const wrap = (store: ObjectStore): ObjectStore => {
    const ask = <Answer>(name: Operation["name"], key: string, act: () => Promise<Answer>) => {
      number += 1;
      return gate({ number, name, key }, act) as Promise<Answer>;
    };
    return {
      name: store.name,
      put: (key, body, options) => ask("put", key, () => store.put(key, body, options)),
      get: (key) => ask("get", key, () => store.get(key)),
      getIfChanged: (key, knownEtag) => ask("get", key, () => store.getIfChanged(key, knownEtag)),
      head: (key) => ask("head", key, () => store.head(key)),
      delete: (key) => ask("delete", key, () => store.delete(key)),
      async *list(prefix, options) {
        yield* await ask("list", prefix, () => Array.fromAsync(store.list(prefix, options)));
      },
    };
  };
  return { publicStore: wrap(stores.publicStore), stateStore: wrap(stores.stateStore) };
}

/** Whether an operation changes something: only then does it matter when it took effect. */
export function isWrite({ name }: Operation): boolean {
  return name === "put" || name === "delete";
}

/**
 * The stores as a process sees them that dies at one of its operations: with that one everything it asks for fails.
 *
 * @param onLate gets the operation that is to take effect later.
 */
export function dieAt(
  stores: Seen,
  { number, fate, onLate }: { number: number; fate: Fate; onLate: (act: () => Promise<unknown>) => void },
): Seen {
  return guard(stores, async (operation, act) => {
    if (operation.number < number) return act();
    if (operation.number === number && fate === "done") await act();
    if (operation.number === number && fate === "late") onLate(act);
    throw new StoreError("a store", operation.name, operation.key, DEATH);
  });
}
