import { dataUnreadable } from "../http/api-error.ts";

/** What the proxy needs of the public store. */
export interface ObjectReader {
  /** The object under a key; null: there is none. Throws if the store cannot say. */
  get(key: string): Promise<{ body: Uint8Array; etag: string } | null>;
}

/** A store that has not answered by then is taken for down: the proxy serves what it holds. */
const STORE_DEADLINE_MILLISECONDS = 5_000;

/** The reader with a deadline; whatever goes wrong becomes an `upstream_unavailable`. */
export function withStoreDeadline(objects: ObjectReader): ObjectReader {
  return {
    async get(key) {
      try {
        return await withDeadline(objects.get(key), STORE_DEADLINE_MILLISECONDS);
      } catch (error) {
        throw dataUnreadable(error);
      }
    },
  };
}

/** Rejects if the promise has not settled within the time; the promise itself runs on, unheeded. */
export async function withDeadline<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
