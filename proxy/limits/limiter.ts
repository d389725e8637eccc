import { LRUCache } from "lru-cache";
import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from "rate-limiter-flexible";
import { withDeadline } from "../cache/revalidate.ts";

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

/** Counts requests in fixed windows: one begins with the first request of a client, or the first after the one before. */
export interface Limiter {
  /** Counts one request of a client. Never rejects. */
  take(client: string): Promise<Allowance>;
  /** Whether it counts together with others just now; undefined: it always counts alone. */
  readonly isShared?: boolean | undefined;
}

export const WINDOW_SECONDS = 60;
/** Clients remembered in memory at most: some 30 MB. */
export const CLIENTS_MAX = 100_000;

/** Counts in this process. */
export function createMemoryLimiter({
  perMinute,
  clientsMax = CLIENTS_MAX,
}: {
  perMinute: number;
  clientsMax?: number;
}): Limiter {
  const memory = new BoundedMemory(perMinute, clientsMax);
  return { take: async (client) => toAllowance(perMinute, await count(memory, client)) };
}

/**
 * When there are too many clients, the one whose window began longest ago is forgotten, and has a whole limit with its next
 * request. Someone with very many addresses (a /48 of IPv6 is 65,536 networks) can bring that about, but wins nothing: to be
 * forgotten once takes 100,000 requests of others. They cannot use up another client's limit, nor fill the memory.
 */
class BoundedMemory extends RateLimiterMemory {
  readonly #clients: LRUCache<string, true>;

  constructor(perMinute: number, max: number) {
    super({ points: perMinute, duration: WINDOW_SECONDS, keyPrefix: "" });
    this.#clients = new LRUCache({ max, dispose: (_, client, why) => void (why === "evict" && this.delete(client)) });
  }

  /** Only a new window is set: so the order is that in which the windows began. */
  began(client: string): void {
    this.#clients.set(client, true);
  }
}

interface Count {
  /** Requests of this window, this one included. */
  count: number;
  /** Milliseconds until it ends. */
  left: number;
  isRefused: boolean;
}

/** @throws {Error} where the count cannot be told */
async function count(limiter: RateLimiterAbstract, client: string, requests = 1): Promise<Count> {
  try {
    const result = await limiter.consume(client, requests);
    if (result.isFirstInDuration && limiter instanceof BoundedMemory) limiter.began(client);
    return toCount(result, false);
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return toCount(refused, true);
    throw refused;
  }
}

function toCount({ consumedPoints: count, msBeforeNext: left }: RateLimiterRes, isRefused: boolean): Count {
  if (!(Number.isInteger(count) && count >= (isRefused ? 0 : 1) && left >= 0))
    throw new Error("the answer is not a count");
  return { count, left, isRefused };
}

function toAllowance(limit: number, { count, left, isRefused }: Count): Allowance {
  return {
    allowed: !isRefused && count <= limit,
    limit,
    remaining: isRefused ? 0 : Math.max(0, limit - count),
    // Also where the server's clock, or this machine's, was set back.
    resetSeconds: Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(left / 1000))),
  };
}

interface SharedOptions {
  perMinute: number;
  /** Counts for all proxies; anything but a count is a failure. */
  shared: RateLimiterAbstract;
  /** The name of a client there. */
  toKey: (client: string) => string;
  /** Milliseconds that only go up. */
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
 * from then on no request waits, and one a second is also put to the shared count, to see whether it is back.
 *
 * Each request is counted in memory too, which follows the shared count: so either goes on from the last count known when the
 * other takes over. What this process counted alone is added when the shared count is back, and a server that has forgotten
 * its counts is told them again.
 */
export function createSharedLimiter({ perMinute, shared, toKey, now, onLost, onBack }: SharedOptions): Limiter {
  const memory = new BoundedMemory(perMinute, CLIENTS_MAX);
  /** Requests of a window that only this process counted. */
  const unshared = new LRUCache<string, { requests: number; until: number }>({ max: CLIENTS_MAX });
  /** When the shared count is tried again; null: it is in use. */
  let retryAt: number | null = null;
  let isTrying = false;

  async function take(client: string): Promise<Allowance> {
    const alone = await count(memory, client);
    const isDue = retryAt === null || (!isTrying && now() >= retryAt);
    const asked = isDue ? askShared(client, alone) : null;
    if (asked !== null && retryAt === null) return toAllowance(perMinute, (await asked) ?? alone);
    if (asked === null) keepUnshared(client, alone);
    return toAllowance(perMinute, alone);
  }

  /** Null: there is no answer to rely on. Never rejects. */
  async function askShared(client: string, alone: Count): Promise<Count | null> {
    isTrying = retryAt !== null;
    const key = toKey(client);
    const missed = unshared.get(client);
    const requests = missed !== undefined && missed.until > now() ? missed.requests : 0;
    try {
      const told = await withDeadline(count(shared, key, requests + 1), DEADLINE_MILLISECONDS);
      unshared.delete(client);
      if (retryAt !== null) onBack();
      retryAt = null;
      return await reconcile(client, alone, told);
    } catch (reason) {
      if (retryAt === null) onLost(reason);
      retryAt = now() + RETRY_MILLISECONDS;
      return null;
    } finally {
      isTrying = false;
    }
  }

  function keepUnshared(client: string, { left }: Count): void {
    const { requests } = unshared.get(client) ?? { requests: 0 };
    unshared.set(client, { requests: requests + 1, until: now() + left });
  }

  /** Memory learns what others counted, and the server what it has forgotten: a restart, a full memory. */
  async function reconcile(client: string, alone: Count, told: Count): Promise<Count> {
    if (told.isRefused && told.count === 0) return told;
    if (told.count < alone.count && alone.left > CLOSING_MILLISECONDS) {
      // Set, not added: requests on the way at the same time find the same.
      shared.set(toKey(client), alone.count, Math.floor(alone.left / 1000)).catch(() => undefined);
      return { ...alone, isRefused: alone.count > perMinute };
    }
    // Memory's window must not outlast the shared one, or the next would begin with what was counted in this.
    const left = told.left - DEADLINE_MILLISECONDS;
    if (told.count > alone.count && left > 0) {
      await memory.set(client, told.count, left / 1000);
      memory.began(client);
    }
    return told;
  }

  return {
    take,
    get isShared() {
      return retryAt === null;
    },
  };
}

/** A window that ends so soon is not told to the server, whose next one may have begun. */
const CLOSING_MILLISECONDS = 1_000;
