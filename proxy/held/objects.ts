import pLimit from "p-limit";
import { dataUnreadable, type ApiError } from "../http/api-error.ts";
import { withDeadline } from "./deadline.ts";

/** What the proxy needs of the public store. */
export interface ObjectReader {
  /**
   * The object under a key, `"unchanged"` where it has the ETag that is known (null: none is), which costs no body; null:
   * there is none. Throws if the store cannot say.
   */
  getIfChanged(key: string, knownEtag: string | null): Promise<ObjectRead | "unchanged" | null>;
}

/** An object as the store gave it. */
export interface ObjectRead {
  body: Uint8Array;
  etag: string;
}

/** A store that has not answered by then is taken for down: the proxy serves what it holds. */
export const STORE_DEADLINE_MILLISECONDS = 5_000;
/** Readings of documents under way at a time: a store that comes back meets these, not all that is held. */
export const READS_AT_A_TIME = 16;
/** Readings that wait for their turn at most: as many as a store of 20 ms gets done before their deadline. */
export const READS_WAITING_MAX = 4_000;

/** The reader with a deadline; whatever goes wrong becomes an `upstream_unavailable`. */
export function withStoreDeadline(objects: ObjectReader): ObjectReader {
  return {
    async getIfChanged(key, knownEtag) {
      try {
        return await withDeadline(objects.getIfChanged(key, knownEtag), STORE_DEADLINE_MILLISECONDS);
      } catch (error) {
        throw dataUnreadable(error);
      }
    },
  };
}

/**
 * The reader for what strangers can ask for in any number: a few readings at a time, the others wait, and too many are
 * refused. `objects` must have a deadline, and so a turn ends; waiting counts towards that of the reading.
 */
export function withTurns(objects: ObjectReader, { now }: { now: () => number }): ObjectReader {
  const limit = pLimit(READS_AT_A_TIME);

  async function getInTurn(key: string, knownEtag: string | null, askedAt: number) {
    // Nobody waits for it any more.
    if (now() - askedAt >= STORE_DEADLINE_MILLISECONDS)
      throw new Error(`no turn within ${STORE_DEADLINE_MILLISECONDS} ms`);
    return objects.getIfChanged(key, knownEtag);
  }

  return {
    async getIfChanged(key, knownEtag) {
      if (limit.pendingCount >= READS_WAITING_MAX)
        throw unreadable(`${READS_WAITING_MAX} readings wait for the store already`);
      try {
        return await withDeadline(limit(getInTurn, key, knownEtag, now()), STORE_DEADLINE_MILLISECONDS);
      } catch (error) {
        throw dataUnreadable(error);
      }
    },
  };
}

/** What is unchanged must have been read before. @throws {ApiError} `upstream_unavailable` */
export function assertHeld<Value>(key: string, held: Value | undefined): Value {
  if (held === undefined) throw unreadable(`${key} is unchanged, but was never read`);
  return held;
}

/** What the store gave cannot be served. The reason is for the log, the client learns that there is nothing. */
export function unreadable(reason: string): ApiError {
  return dataUnreadable(new Error(reason));
}
