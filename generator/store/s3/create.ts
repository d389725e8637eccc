import { setTimeout as wait } from "node:timers/promises";
import { attemptsOf, codeOf, statusOf } from "./errors.ts";

/** Tries of ours at a key that somebody else is just then writing. */
const TRIES_MAX = 5;

export interface Creation {
  body: Uint8Array;
  /** Sends the conditional write, `If-None-Match: *`; throws the SDK's error. */
  send: () => Promise<{ etag: string }>;
  /** What lies under the key; null: nothing. */
  read: () => Promise<{ etag: string; body: Uint8Array } | null>;
  retryDelayMilliseconds: number;
  signal: AbortSignal;
}

/**
 * Creates an object unless there is one; null: there is one.
 *
 * - 412: the key exists. When the request had been sent before, it may be our own write whose answer was lost. Then equal
 *   bytes mean that it is. They could be another writer's only where two writers would write the same under the same key:
 *   entries, packs and checkpoints have their content's hash in the name, so it makes no difference whose it is; and a lease
 *   names its holder, so no two are equal.
 * - 409: somebody else is writing that key right now. Who of the two wins shows with the next try.
 *
 * Anything else is thrown.
 */
export async function createIfAbsent({
  body,
  send,
  read,
  retryDelayMilliseconds,
  signal,
}: Creation): Promise<{ etag: string } | null> {
  let attempts = 0;
  for (let tries = 1; ; tries += 1) {
    try {
      return await send();
    } catch (error) {
      attempts += attemptsOf(error);
      if (statusOf(error) === 412) return attempts > 1 ? findOwn(body, await read()) : null;
      if (!isConflict(error) || tries === TRIES_MAX) throw error;
      await wait(retryDelayMilliseconds * 2 ** (tries - 1), undefined, { signal });
    }
  }
}

/** Other conflicts do not pass: in a server that keeps files, say, `a/b` can never be written where `a` is an object. */
function isConflict(error: unknown): boolean {
  return statusOf(error) === 409 && codeOf(error) === "ConditionalRequestConflict";
}

function findOwn(body: Uint8Array, found: { etag: string; body: Uint8Array } | null): { etag: string } | null {
  return found !== null && Buffer.compare(found.body, body) === 0 ? { etag: found.etag } : null;
}
