import { LRUCache } from "lru-cache";
import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from "rate-limiter-flexible";
import { RATE_WINDOW_SECONDS } from "../../generator/contract/response-headers.ts";

export interface Allowance {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Until the window ends, rounded up; from 1 to 60. */
  resetSeconds: number;
}

/** Counts requests in fixed windows: one begins with the first request of a client, or the first after the one before. */
export interface Limiter {
  take(client: string): Promise<Allowance>;
  /** Whether it counts together with others just now; undefined: it always counts alone. */
  readonly isShared?: boolean | undefined;
}

/** Clients remembered in memory at most: some 30 MB. */
export const CLIENTS_MAX = 100_000;

export function createMemoryLimiter(perMinute: number, clientsMax = CLIENTS_MAX): Limiter {
  const memory = new BoundedMemory(perMinute, clientsMax);
  return { take: async (client) => toAllowance(perMinute, await count(memory, client)) };
}

/**
 * When there are too many clients, the one whose window began longest ago is forgotten. Someone with very many addresses wins
 * nothing: to be forgotten once takes 100,000 requests of others.
 */
export class BoundedMemory extends RateLimiterMemory {
  /** Only a new window is set: so the order is that in which the windows began. */
  readonly #clients: LRUCache<string, true>;

  constructor(perMinute: number, max: number) {
    super({ points: perMinute, duration: RATE_WINDOW_SECONDS, keyPrefix: "" });
    this.#clients = new LRUCache({ max, dispose: (_, client, why) => void (why === "evict" && this.delete(client)) });
  }

  override async consume(client: string): Promise<RateLimiterRes> {
    const result = await super.consume(client);
    if (result.isFirstInDuration) this.#clients.set(client, true);
    return result;
  }

  override set(client: string, requests: number, seconds: number): Promise<RateLimiterRes> {
    this.#clients.set(client, true);
    return super.set(client, requests, seconds);
  }
}

export interface Count {
  count: number;
  left: number;
}

export async function count(limiter: RateLimiterAbstract, client: string, requests = 1): Promise<Count> {
  const result = await limiter.consume(client, requests).catch((refused: unknown) => {
    if (refused instanceof RateLimiterRes) return refused;
    throw refused;
  });
  const { consumedPoints, msBeforeNext } = result;
  if (Number.isInteger(consumedPoints) && consumedPoints >= 1 && msBeforeNext >= 0)
    return { count: consumedPoints, left: msBeforeNext };
  throw new Error("the answer is not a count");
}

export function toAllowance(limit: number, { count, left }: Count): Allowance {
  // Within its bounds also where the server's clock, or this machine's, was set back.
  const resetSeconds = Math.min(RATE_WINDOW_SECONDS, Math.max(1, Math.ceil(left / 1000)));
  return { allowed: count <= limit, limit, remaining: Math.max(0, limit - count), resetSeconds };
}
