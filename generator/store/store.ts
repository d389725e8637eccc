import { toPlainLine } from "../contract/strangers-text.ts";
import { messageOf } from "../contract/error-message.ts";

/**
 * The storage port. Missing is null; every other failure
 * throws {@link StoreError}. Opening a store does no I/O.
 */
export interface ObjectStore {
  /** For logs: never holds a secret. */
  readonly name: string;
  /**
   * null: `expect` is "absent" and the key exists. The opaque ETag is
   * that of `head`, `get` and `list` for as long as this write stands.
   */
  put(key: string, body: Uint8Array, options: PutOptions): Promise<{ etag: string } | null>;
  get(key: string): Promise<StoredObject | null>;
  getIfChanged(key: string, knownEtag: string | null): Promise<StoredObject | Unchanged | null>;
  head(key: string): Promise<ObjectHead | null>;
  /** In the byte order of keys; `startAfter` is exclusive. */
  list(prefix: string, options?: { startAfter?: string }): AsyncIterable<ObjectHead>;
  /** A missing object is no error. */
  delete(key: string): Promise<void>;
}

export interface PutOptions {
  expect: "any" | "absent";
  contentType: string;
  cacheControl?: string;
}

export interface ObjectHead {
  key: string;
  etag: string;
  size: number;
}

export interface StoredObject extends ObjectHead {
  body: Uint8Array;
}

type Unchanged = "unchanged";

/** Its message is a plain line. */
export class StoreError extends Error {
  override readonly name = "StoreError";

  constructor(store: string, operation: string, key: string, cause: unknown) {
    super(toPlainLine(`${operation} ${key} in ${store} failed: ${messageOf(cause)}`), { cause });
  }
}

/** The stored bytes are not those that were put: retrying does not help. */
export class DamagedObjectError extends StoreError {}
