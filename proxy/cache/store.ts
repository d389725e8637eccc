import pLimit from "p-limit";
import type { Network } from "../../generator/contract/networks.ts";
import { assertServable } from "../../generator/contract/object-content.ts";
import type { ObjectNames } from "../../generator/contract/object-kind.ts";
import { OBJECTS } from "../../generator/contract/objects.ts";
import type { DocumentOf, ObjectKind, ObjectReference } from "../../generator/contract/objects.ts";
import type { SnapshotIndex } from "../../generator/contract/snapshot-index.ts";
import { withDeadline } from "../deadline.ts";
import { dataUnreadable, type ApiError } from "../errors.ts";
import type { Log } from "../log.ts";

/** What caches need of the process. */
export interface Context {
  objects: ObjectReader;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Milliseconds that never go back. */
  steadyNow: () => number;
  log: Log;
  /** False where the process stands still between requests, as on Lambda. */
  readsBehind?: boolean | undefined;
  onSnapshot?: ((index: SnapshotIndex) => void) | undefined;
  onPlace?: ((place: CachePlace) => void) | undefined;
}

/** Where something is cached that can be read or made again. */
export interface CachePlace {
  name: "documents" | "answers";
  maxBytes: number;
  getBytes: () => number;
}

/** The public store, as the proxy reads it. */
export interface ObjectReader {
  /** null: no such object. Throws if the store cannot tell. */
  getIfChanged(key: string, knownEtag: string | null): Promise<ObjectRead | "unchanged" | null>;
}

/** An object of the store. */
export interface ObjectRead {
  body: Uint8Array;
  etag: string;
  /** When it was put, in milliseconds since the epoch; null: the store does not tell. */
  modifiedAt: number | null;
}

/** A slower store counts as down: the proxy serves what it holds. */
export const STORE_DEADLINE_MILLISECONDS = 5_000;
/**
 * Document readings at a time: a store that is just
 * back gets these, not one for each cached document.
 */
export const READS_AT_A_TIME = 16;
/** Readings that may wait: as many as a store that takes 20 ms does before their deadline. */
export const READS_WAITING_MAX = 4_000;

/** Makes a reader whose readings fail after {@link STORE_DEADLINE_MILLISECONDS}. */
export function withStoreDeadline(objects: ObjectReader): ObjectReader {
  return {
    async getIfChanged(key, knownEtag) {
      try {
        return await withDeadline(
          objects.getIfChanged(key, knownEtag),
          STORE_DEADLINE_MILLISECONDS,
        );
      } catch (error) {
        throw dataUnreadable(error);
      }
    },
  };
}

/** A queue for readings that strangers can cause. Waiting counts towards the deadline. */
export function withTurns({ objects, steadyNow }: Context): ObjectReader {
  const limit = pLimit(READS_AT_A_TIME);
  return withStoreDeadline({
    async getIfChanged(key, knownEtag) {
      if (limit.pendingCount >= READS_WAITING_MAX)
        throw new Error(`${READS_WAITING_MAX} readings wait for the store already`);
      const askedAt = steadyNow();
      return limit(() => {
        if (steadyNow() - askedAt < STORE_DEADLINE_MILLISECONDS)
          return objects.getIfChanged(key, knownEtag);
        throw new Error(`no turn within ${STORE_DEADLINE_MILLISECONDS} ms`);
      });
    },
  });
}

/** @throws {ApiError} if a store says “unchanged” of what was never read */
export function assertCached<Value>(key: string, cached: Value | undefined): Value {
  if (cached === undefined) throw unreadable(`${key} is unchanged, but was never read`);
  return cached;
}

/** The store's object cannot be served. The reason is for the log; the client gets a 503. */
export function unreadable(reason: string): ApiError {
  return dataUnreadable(new Error(reason));
}

const decoder = new TextDecoder("utf-8", { fatal: true });
/** Bodies that fit their schemas: to check one takes four times as long as to parse it. */
const fitting = new WeakSet<Uint8Array>();

/**
 * Returned as written, not as parsed: fields of a newer generator must
 * reach the client. Those that an older one did not know are null.
 * @throws {ApiError}
 */
export function parseDocument<Kind extends ObjectKind>(
  kind: Kind,
  body: Uint8Array,
): DocumentOf<Kind> {
  return orUnreadable(() => {
    const document: unknown = JSON.parse(decoder.decode(body));
    if (fitting.has(body)) return document as DocumentOf<Kind>;
    const { schema } = OBJECTS[kind];
    const { error } = schema.safeParse(document);
    for (const { path } of error?.issues ?? []) setIfMissing(document, path);
    if (error === undefined) fitting.add(body);
    else schema.parse(document);
    return document as DocumentOf<Kind>;
  });
}

function setIfMissing(document: unknown, path: readonly PropertyKey[]): void {
  let holder = document as Record<PropertyKey, unknown>;
  for (const name of path) {
    if (!Object.hasOwn(holder, name)) holder[name] = null;
    holder = holder[name] as Record<PropertyKey, unknown>;
  }
}

/** All names that an object may have. */
export type EveryName = ObjectNames["votePubkey"] &
  ObjectNames["epoch"] &
  ObjectNames["segment"] &
  ObjectNames["feed"] &
  ObjectNames["month"] &
  ObjectNames["shard"];

/** Which object a request needs. */
export interface Wanted {
  network: Network;
  kind: ObjectKind;
  names: Partial<EveryName>;
}

/** Refuses a host's error page, a cut body, another network's document. @throws {ApiError} */
export function assertDocument(body: Uint8Array, { network, kind, names }: Wanted): void {
  orUnreadable(() => assertServable(network, { kind, names } as ObjectReference, body));
}

function orUnreadable<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw dataUnreadable(error);
  }
}
