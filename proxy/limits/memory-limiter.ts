import { LRUCache } from "lru-cache";
import { toAllowance, WINDOW_MILLISECONDS, type Allowance, type Limiter } from "./limiter.ts";
import { createSteadyClock } from "./steady-clock.ts";

interface MemoryLimiterOptions {
  /** Requests that a client has in a window. */
  perMinute: number;
  /** Milliseconds; it may be set back. */
  now: () => number;
  /** Clients remembered at most. */
  clientsMax?: number;
}

/** A limiter that answers at once. */
export interface MemoryLimiter extends Limiter {
  take(client: string): Allowance;
  /** Clients remembered, those included whose window is over. */
  readonly clients: number;
}

interface Window {
  /** In milliseconds of the steady clock. */
  endsAt: number;
  count: number;
}

/** Some 20 MB of windows. */
export const CLIENTS_MAX = 100_000;

/**
 * Counts in this process.
 *
 * Remembered are the clients whose windows began last: when there are too many, the one whose window began longest ago is
 * forgotten, and has a whole limit with its next request. Someone with very many addresses (a /48 of IPv6 is 65,536 networks)
 * can bring that about, but wins nothing: to be forgotten once takes 100,000 requests of others, and whoever has 100,000
 * addresses may ask 100,000 × 60 times a minute without. They cannot use up the limit of another client, nor fill the memory.
 */
export function createMemoryLimiter({ perMinute, now, clientsMax = CLIENTS_MAX }: MemoryLimiterOptions): MemoryLimiter {
  const clock = createSteadyClock(now);
  // Only a new window is set, and reading is by peek: so the cache's order is that in which the windows began. A Map would keep
  // that order too, but to find its oldest entry it passes all that were deleted: ten times as dear for each new client of many.
  const windows = new LRUCache<string, Window>({ max: clientsMax });
  return {
    take(client) {
      const time = clock();
      let window = windows.peek(client);
      if (window === undefined) {
        window = { endsAt: time + WINDOW_MILLISECONDS, count: 0 };
        // A copy: a piece cut out of a header would keep the whole header in memory.
        windows.set(Buffer.from(client).toString(), window);
      } else if (time >= window.endsAt) {
        // The same object and the same key, in another place: what lives for minutes is dear to collect.
        window.endsAt = time + WINDOW_MILLISECONDS;
        window.count = 0;
        windows.set(client, window);
      }
      // One more than the limit says all: a count that goes on rising would only be a larger number.
      if (window.count <= perMinute) window.count++;
      return toAllowance({ limit: perMinute, count: window.count, left: window.endsAt - time });
    },
    get clients() {
      return windows.size;
    },
  };
}
