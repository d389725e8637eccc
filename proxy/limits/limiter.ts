import { LRUCache } from "lru-cache";
import { RATE_WINDOW_SECONDS } from "../../generator/contract/response-headers.ts";

export interface Allowance {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Until the window ends, rounded up; 1 to 60. */
  resetSeconds: number;
}

/**
 * Counts requests in fixed windows. A window begins with the
 * first request of a client after the last window ended.
 */
export interface Limiter {
  take(client: string): Allowance | Promise<Allowance>;
  /**
   * Whether it counts together with other processes right now; undefined: it always counts alone.
   */
  readonly isShared?: boolean | undefined;
}

/** Clients remembered in memory: 20 MB at most. */
export const CLIENTS_MAX = 100_000;

/** @param now milliseconds that never go back */
export function createMemoryLimiter(
  perMinute: number,
  now: () => number,
  clientsMax = CLIENTS_MAX,
) {
  const windows = createWindows(now, clientsMax);
  return {
    take: (client: string): Allowance => toAllowance(perMinute, windows.count(client)),
  } satisfies Limiter;
}

export interface Count {
  count: number;
  /** Milliseconds until the window ends. */
  left: number;
}

/**
 * The windows that run. Of too many, the oldest is forgotten:
 * for one fresh window an attacker needs 100,000 addresses.
 */
export function createWindows(now: () => number, max: number) {
  const windows = new LRUCache<string, { count: number; endsAt: number }>({ max });
  function begin(client: string, count: number, left: number): Count {
    // A copy: an address cut out of a header would keep the whole header in memory.
    windows.set(Buffer.from(client).toString(), { count, endsAt: now() + left });
    return { count, left };
  }
  function count(client: string): Count {
    const time = now();
    // `get` would order the windows by their last request.
    const window = windows.peek(client);
    if (window === undefined || window.endsAt <= time)
      return begin(client, 1, RATE_WINDOW_SECONDS * 1_000);
    window.count += 1;
    return { count: window.count, left: window.endsAt - time };
  }
  return { begin, count };
}

export function toAllowance(limit: number, { count, left }: Count): Allowance {
  // A Valkey server whose clock was set back may say that more than a window is left.
  const resetSeconds = Math.min(RATE_WINDOW_SECONDS, Math.max(1, Math.ceil(left / 1_000)));
  return { allowed: count <= limit, limit, remaining: Math.max(0, limit - count), resetSeconds };
}
