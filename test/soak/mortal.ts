import { StoreError, type ObjectStore } from "../../generator/store/store.ts";

/**
 * The fate of the operation at which a process dies:
 * never done, done without an answer, or done long after.
 */
export type Fate = "lost" | "done" | "late";

export const DEATH = "the process died";

export interface Seen {
  publicStore: ObjectStore;
  stateStore: ObjectStore;
}

/** Counted from 1 over both stores. */
export interface Operation {
  number: number;
  name: "put" | "get" | "head" | "list" | "delete";
  key: string;
}

/** Runs each operation when `gate` lets it through; a listing is one operation. */
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

export function isWrite({ name }: Operation): boolean {
  return name === "put" || name === "delete";
}

/** @param onLate receives the operation that takes effect later */
export function dieAt(
  stores: Seen,
  {
    number,
    fate,
    onLate,
  }: { number: number; fate: Fate; onLate: (act: () => Promise<unknown>) => void },
): Seen {
  return guard(stores, async (operation, act) => {
    if (operation.number < number) return act();
    if (operation.number === number && fate === "done") await act();
    if (operation.number === number && fate === "late") onLate(act);
    throw new StoreError("a store", operation.name, operation.key, DEATH);
  });
}

/** @throws {unknown} anything else */
export function ignoreDeath(error: unknown): null {
  if (error instanceof StoreError && error.message.includes(DEATH)) return null;
  throw error;
}
