/** What a client has left after this request. */
export interface Allowance {
  /** false: this request is one too many. */
  allowed: boolean;
  /** Requests in a window. */
  limit: number;
  /** Requests left in this window. */
  remaining: number;
  /** Until the window ends, rounded up; from 1 to 60. */
  resetSeconds: number;
}

/** Counts requests. Behind this port the count can lie in memory or be shared by many processes. */
export interface Limiter {
  /**
   * Counts one request of a client. A limiter in memory answers at once, so that the request need not wait for a turn of the
   * event loop; never throws or rejects where it is the last resort.
   */
  take(client: string): Allowance | Promise<Allowance>;
  /** Whether it counts together with others just now; undefined: it is one that always counts alone. */
  readonly isShared?: boolean | undefined;
}

/** A window is fixed: it begins with the first request of a client, and the next one with the first request after it. */
export const WINDOW_MILLISECONDS = 60_000;
export const WINDOW_SECONDS = WINDOW_MILLISECONDS / 1000;

/** @param count requests in this window, this one included @param left milliseconds until the window ends */
export function toAllowance({ limit, count, left }: { limit: number; count: number; left: number }): Allowance {
  return {
    allowed: count <= limit,
    limit,
    remaining: Math.max(0, limit - count),
    // A clock with fractions says of a window that has just begun that it ends in 60.000000000000007 s.
    resetSeconds: Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(left / 1000))),
  };
}
