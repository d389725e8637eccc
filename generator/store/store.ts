import { toPlainLine } from "../contract/strangers-text.ts";
import { messageOf } from "../contract/error-message.ts";

/**
 * The storage port. A missing object is null; every other failure throws {@link StoreError}.
 * Opening a store does no I/O.
 */
export interface ObjectStore {
  /** Name for logs, without secrets. */
  readonly name: string;
  /**
   * Puts a whole object. The opaque ETag is also that of `head`, `get` and `list` until the next
   * write. null: `expect` is "absent" and the key exists.
   */
  put(key: string, body: Uint8Array, options: PutOptions): Promise<{ etag: string } | null>;
  /**
   * Reads a whole object; null: it does not exist. Damaged bytes throw {@link DamagedObjectError}.
   */
  get(key: string): Promise<StoredObject | null>;
  /** Reads an object unless its ETag is `knownEtag`; null as `knownEtag` always reads it. */
  getIfChanged(key: string, knownEtag: string | null): Promise<StoredObject | Unchanged | null>;
  /** Reads what is known of an object without its body; null: it does not exist. */
  head(key: string): Promise<ObjectHead | null>;
  /** Lists objects in the byte order of keys; `startAfter` is exclusive. */
  list(prefix: string, options?: { startAfter?: string }): AsyncIterable<ObjectHead>;
  /** Deletes an object; a missing one is no error. */
  delete(key: string): Promise<void>;
}

/**
 * How to put an object. `expect: "absent"` creates it and never replaces one. File stores ignore
 * the headers.
 */
export interface PutOptions {
  expect: "any" | "absent";
  contentType: string;
  cacheControl?: string;
}

/** An object without its body. The ETag is opaque, `size` in bytes. */
export interface ObjectHead {
  key: string;
  etag: string;
  /** Bytes of the body. */
  size: number;
}

/** An object with its body. */
export interface StoredObject extends ObjectHead {
  body: Uint8Array;
  /** When it was put, in milliseconds since the epoch; null: the store does not tell. */
  modifiedAt: number | null;
}

type Unchanged = "unchanged";

/** A store failed. The message is one plain line and names store, operation and key. */
export class StoreError extends Error {
  override readonly name = "StoreError";

  constructor(store: string, operation: string, key: string, cause: unknown) {
    super(toPlainLine(`${operation} ${key} in ${store} failed: ${messageOf(cause)}`), { cause });
  }
}

/** The stored bytes are not those that were put, so retrying does not help. */
export class DamagedObjectError extends StoreError {}
