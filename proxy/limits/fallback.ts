import type { Allowance, Limiter } from "./limiter.ts";

interface FallbackOptions {
  /** Asks who counts for several processes. Rejects when there is no answer to rely on. */
  ask: (client: string) => Promise<Allowance>;
  /** Counts for as long as the other one cannot. */
  fallback: Limiter;
  /** Milliseconds. */
  now: () => number;
  /** Called once when the shared count is lost, with what was the reason. */
  onLost: (reason: unknown) => void;
  /** Called once when it is back. */
  onBack: () => void;
}

/** A request waits for the shared count no longer than this. */
export const DEADLINE_MILLISECONDS = 100;
/** After a failure the shared count is asked again so much later. */
export const RETRY_MILLISECONDS = 1_000;

/**
 * Counts with others for as long as they can be reached, and alone while they cannot. The first failure opens the circuit:
 * from then on no request waits, and one a second is also put to the shared count, to see whether it is back. A client may
 * then have its limit once more, since neither count knows of the other.
 */
export function createFallbackLimiter({ ask, fallback, now, onLost, onBack }: FallbackOptions): Limiter {
  /** When the shared count is tried again; null: it is in use. */
  let retryAt: number | null = null;
  let isTrying = false;

  return {
    take(client) {
      if (retryAt === null) return takeShared(client);
      // A clock that was set back must not keep us away for long.
      const wait = retryAt - now();
      if (!isTrying && (wait <= 0 || wait > RETRY_MILLISECONDS)) void tryAgain(client);
      return fallback.take(client);
    },
    get isShared() {
      return retryAt === null;
    },
  };

  async function takeShared(client: string): Promise<Allowance> {
    try {
      return await withDeadline(ask(client));
    } catch (reason) {
      if (retryAt === null) {
        retryAt = now() + RETRY_MILLISECONDS;
        onLost(reason);
      }
      return fallback.take(client);
    }
  }

  async function tryAgain(client: string): Promise<void> {
    isTrying = true;
    try {
      await withDeadline(ask(client));
      retryAt = null;
      onBack();
    } catch {
      // Why was said when it was lost.
      retryAt = now() + RETRY_MILLISECONDS;
    } finally {
      isTrying = false;
    }
  }
}

/** Rejects when there is no answer in time, also if this process itself was too busy to read it: then it gets a last look. */
function withDeadline<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const expire = () => reject(new Error(`no answer within ${DEADLINE_MILLISECONDS} ms`));
    // Between timers and immediates the event loop reads what its sockets hold.
    const timer = setTimeout(() => setImmediate(expire), DEADLINE_MILLISECONDS);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
