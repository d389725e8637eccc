import { toPlainLine } from "../contract/strangers-text.ts";
import { messageOf } from "../contract/error-message.ts";

/**
 * The storage port. Missing is null; anything else that goes wrong throws a {@link StoreError}. Making a store does no
 * I/O.
 */
export interface ObjectStore {
  /** What the store is, for logs: never holds a secret. */
  readonly name: string;
  /**
   * With `expect: "absent"` it answers null, and writes nothing, when the key exists. The ETag is opaque: the one that
   * `head`, `get` and `list` give while this very write is what lies there.
   */
  put(key: string, body: Uint8Array, options: PutOptions): Promise<{ etag: string } | null>;
  get(key: string): Promise<StoredObject | null>;
  /** Without the body where the object has the known ETag; null: none is known. */
  getIfChanged(key: string, knownEtag: string | null): Promise<StoredObject | Unchanged | null>;
  head(key: string): Promise<ObjectHead | null>;
  /** In the byte order of their keys; `startAfter` leaves out every key up to and with it. */
  list(prefix: string, options?: { startAfter?: string }): AsyncIterable<ObjectHead>;
  /** Deleting what is not there is no error. */
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
  /** Bytes. */
  size: number;
}

export interface StoredObject extends ObjectHead {
  body: Uint8Array;
}

/** The object is the one whose ETag was known. */
export type Unchanged = "unchanged";

/** Other than «missing» and «exists already». Its message is a plain line. */
export class StoreError extends Error {
  override readonly name = "StoreError";

  constructor(store: string, operation: string, key: string, cause: unknown) {
    super(toPlainLine(`${operation} ${key} in ${store} failed: ${messageOf(cause)}`), { cause });
  }
}

/** What lies there is not what was put: asking again would not help. */
export class DamagedObjectError extends StoreError {}
