import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/** What a client has left after this request. */
export interface Allowance {
  /** false: this request is one too many. */
  allowed: boolean;
  /** Requests in a window. */
  limit: number;
  remaining: number;
  /** Until the window ends, rounded up; at least 1. */
  resetSeconds: number;
}

/** Counts requests. Behind this port the count can lie in memory or be shared by many processes. */
export interface Limiter {
  /** Counts one request of a client. */
  take(client: string): Promise<Allowance>;
}

const WINDOW_SECONDS = 60;

/** Counts in this process. A client's window begins with its first request and lasts a minute. */
export function createMemoryLimiter({ perMinute }: { perMinute: number }): Limiter {
  const counter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS });
  return {
    async take(client) {
      try {
        return toAllowance(await counter.consume(client), { allowed: true, limit: perMinute });
      } catch (refusal) {
        // The library says «one too many» by rejecting with its plain result.
        if (refusal instanceof RateLimiterRes) return toAllowance(refusal, { allowed: false, limit: perMinute });
        throw refusal;
      }
    },
  };
}

function toAllowance(result: RateLimiterRes, fixed: Pick<Allowance, "allowed" | "limit">): Allowance {
  const resetSeconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000));
  return { ...fixed, remaining: result.remainingPoints, resetSeconds };
}
