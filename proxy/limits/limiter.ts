import { LRUCache } from "lru-cache";
import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from "rate-limiter-flexible";
import { RATE_WINDOW_SECONDS } from "../../generator/contract/response-headers.ts";
import { withDeadline } from "../cache/revalidate.ts";

export interface Allowance {
  /** false: this request is one too many. */
  allowed: boolean;
  limit: number;
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
class BoundedMemory extends RateLimiterMemory {
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

/** Requests of a window, this one included, and milliseconds until it ends. */
interface Count {
  count: number;
  left: number;
}

async function count(limiter: RateLimiterAbstract, client: string, requests = 1): Promise<Count> {
  const result = await limiter.consume(client, requests).catch((refused: unknown) => {
    if (refused instanceof RateLimiterRes) return refused;
    throw refused;
  });
  const { consumedPoints, msBeforeNext } = result;
  if (Number.isInteger(consumedPoints) && consumedPoints >= 1 && msBeforeNext >= 0)
    return { count: consumedPoints, left: msBeforeNext };
  throw new Error("the answer is not a count");
}

function toAllowance(limit: number, { count, left }: Count): Allowance {
  // Within its bounds also where the server's clock, or this machine's, was set back.
  const resetSeconds = Math.min(RATE_WINDOW_SECONDS, Math.max(1, Math.ceil(left / 1000)));
  return { allowed: count <= limit, limit, remaining: Math.max(0, limit - count), resetSeconds };
}

interface SharedOptions {
  perMinute: number;
  /** Counts for all proxies; anything but a count is a failure. */
  shared: RateLimiterAbstract;
  toKey: (client: string) => string;
  /** Milliseconds that only go up. */
  now: () => number;
  /** Called once when the shared count is lost. */
  onLost: (reason: unknown) => void;
  onBack: () => void;
}

/** A request waits for the shared count no longer than this. */
const DEADLINE_MILLISECONDS = 100;
/** After a failure the shared count is asked again so much later. */
export const RETRY_MILLISECONDS = 1_000;
/** A window that ends so soon is not told to the server, whose next one may have begun. */
const CLOSING_MILLISECONDS = 1_000;

/**
 * Counts with others while they can be reached. The first failure opens the circuit: from then on no request waits, and one a
 * second is also put to the shared count. Each is counted in memory too, so that either goes on from the last count known.
 */
export function createSharedLimiter({ perMinute, shared, toKey, now, onLost, onBack }: SharedOptions): Limiter {
  const memory = new BoundedMemory(perMinute, CLIENTS_MAX);
  /** Requests of a window that only this process counted. */
  const unshared = new LRUCache<string, { requests: number; until: number }>({ max: CLIENTS_MAX });
  /** When the shared count is tried again; null: it is in use. */
  let retryAt: number | null = null;

  /** Never rejects. */
  async function ask(client: string, alone: Count): Promise<Count> {
    const missed = unshared.get(client);
    const requests = missed !== undefined && missed.until > now() ? missed.requests : 0;
    // Who comes while it is tried does not try as well.
    if (retryAt !== null) retryAt = Infinity;
    try {
      const told = await withDeadline(count(shared, toKey(client), requests + 1), DEADLINE_MILLISECONDS);
      unshared.delete(client);
      if (retryAt !== null) onBack();
      retryAt = null;
      return await reconcile(client, alone, told);
    } catch (reason) {
      if (retryAt === null) onLost(reason);
      retryAt = now() + RETRY_MILLISECONDS;
      return alone;
    }
  }

  /** Memory learns what others counted, and the server what it has forgotten: a restart, a full memory. */
  async function reconcile(client: string, alone: Count, told: Count): Promise<Count> {
    if (told.count < alone.count && alone.left > CLOSING_MILLISECONDS) {
      // Set, not added: requests on the way at the same time find the same.
      shared.set(toKey(client), alone.count, Math.floor(alone.left / 1000)).catch(() => undefined);
      return alone;
    }
    // Memory's window must not outlast the shared one, or the next would begin with what was counted in this.
    const left = told.left - DEADLINE_MILLISECONDS;
    if (told.count > alone.count && left > 0) await memory.set(client, told.count, left / 1000);
    return told;
  }

  return {
    async take(client) {
      const alone = await count(memory, client);
      // Who is over the limit is refused without asking the server.
      if (alone.count > perMinute) return toAllowance(perMinute, alone);
      const isLost = retryAt !== null;
      if (retryAt === null || now() >= retryAt) {
        const asked = ask(client, alone);
        return toAllowance(perMinute, isLost ? alone : await asked);
      }
      const { requests } = unshared.get(client) ?? { requests: 0 };
      unshared.set(client, { requests: requests + 1, until: now() + alone.left });
      return toAllowance(perMinute, alone);
    },
    get isShared() {
      return retryAt === null;
    },
  };
}
