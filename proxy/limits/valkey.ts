import { createHmac } from "node:crypto";
import { createClient } from "@redis/client";
import { LRUCache } from "lru-cache";
import { RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from "rate-limiter-flexible";
import { RATE_WINDOW_SECONDS } from "../../generator/contract/response-headers.ts";
import { withDeadline } from "../cache/revalidate.ts";
import type { Log } from "../operations/log.ts";
import { CLIENTS_MAX, toAllowance, Windows, type Count, type Limiter } from "./limiter.ts";

interface ValkeyLimiterOptions {
  /** Holds a password: never to be logged. */
  url: string;
  perMinute: number;
  now: () => number;
  log: Log;
}

const CONNECT_MILLISECONDS = 1_000;
/** A server that went without a word is noticed by a ping that stays unanswered. */
const PING_MILLISECONDS = 5_000;
const SILENCE_MILLISECONDS = 12_000;
/** More than any number of requests that can wait in a deadline's time; a server that hangs does not fill the memory. */
const QUEUE_MAX = 20_000;

/** Resolves when the server was tried once: one that is down, slow or refuses us is logged and does not keep us from starting. */
export async function openValkeyLimiter(options: ValkeyLimiterOptions) {
  const { url, perMinute, log } = options;
  const client = createClient({
    // The client knows these schemes by their older names only.
    url: url.replace(/^valkey/, "redis"),
    socket: { connectTimeout: CONNECT_MILLISECONDS, socketTimeout: SILENCE_MILLISECONDS, reconnectStrategy: 500 },
    // Servers older than Redis 6 know no other, and we need nothing of the newer one.
    RESP: 2,
    maintNotifications: "disabled",
    disableClientInfo: true,
    disableOfflineQueue: true,
    commandsQueueMaxLength: QUEUE_MAX,
    pingInterval: PING_MILLISECONDS,
  });
  let lastError: unknown;
  let isClosed = false;
  // A server may take connections and say nothing.
  const firstAttempt = new Promise<void>((resolve) => {
    setTimeout(resolve, CONNECT_MILLISECONDS).unref();
    client.on("ready", resolve).on("error", (error) => {
      lastError = error;
      resolve();
    });
  });
  // Every failure is an event as well; the promise rejects only when we hang up ourselves.
  client.connect().catch(() => undefined);
  const storage = { storeClient: client, useRedisPackage: true, rejectIfRedisNotReady: true };
  const limit = { keyPrefix: "rugwatch:limit", points: perMinute, duration: RATE_WINDOW_SECONDS };
  const limiter = createSharedLimiter(options, new RateLimiterRedis({ ...storage, ...limit }), (lost) => {
    const why = lost === null ? "" : explain(client.isReady ? lost.reason : (lastError ?? lost.reason));
    const message = `VALKEY_URL: ${why}: each proxy keeps its own limit until the server answers again`;
    if (lost === null) log({ level: "info", message: "VALKEY_URL: the server answers, the limit is shared again" });
    else if (!isClosed) log({ level: "warn", message });
  });
  await firstAttempt;
  await limiter.take("start");
  const close = () => {
    isClosed = true;
    if (client.isOpen) client.destroy();
  };
  return Object.assign(limiter, { close });
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
function createSharedLimiter(
  { url, perMinute, now }: ValkeyLimiterOptions,
  shared: RateLimiterAbstract,
  tell: (lost: { reason: unknown } | null) => void,
): Limiter {
  const toKey = createKeys(url);
  const memory = new Windows(now, CLIENTS_MAX);
  /** Requests of a window that only this process counted. */
  const unshared = new LRUCache<string, { requests: number; until: number }>({ max: CLIENTS_MAX });
  /** When the shared count is tried again; null: it is in use. */
  let retryAt: number | null = null;

  async function ask(client: string, alone: Count): Promise<Count> {
    const missed = unshared.get(client);
    const requests = missed !== undefined && missed.until > now() ? missed.requests : 0;
    // Who comes while it is tried does not try as well.
    if (retryAt !== null) retryAt = Infinity;
    try {
      const told = await withDeadline(count(shared, toKey(client), requests + 1), DEADLINE_MILLISECONDS);
      unshared.delete(client);
      if (retryAt !== null) tell(null);
      retryAt = null;
      return reconcile(client, alone, told);
    } catch (reason) {
      if (retryAt === null) tell({ reason });
      retryAt = now() + RETRY_MILLISECONDS;
      return alone;
    }
  }

  /** Memory learns what others counted, and the server what it has forgotten: a restart, a full memory. */
  function reconcile(client: string, alone: Count, told: Count): Count {
    if (told.count < alone.count && alone.left > CLOSING_MILLISECONDS) {
      // Set, not added: requests on the way at the same time find the same.
      shared.set(toKey(client), alone.count, Math.floor(alone.left / 1000)).catch(() => undefined);
      return alone;
    }
    // Memory's window must not outlast the shared one, or the next would begin with what was counted in this.
    const left = told.left - DEADLINE_MILLISECONDS;
    if (told.count > alone.count && left > 0) memory.begin(client, told.count, left);
    return told;
  }

  return {
    async take(client) {
      const alone = memory.count(client);
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

async function count(limiter: RateLimiterAbstract, key: string, requests: number): Promise<Count> {
  const result = await limiter.consume(key, requests).catch((refused: unknown) => {
    if (refused instanceof RateLimiterRes) return refused;
    throw refused;
  });
  const { consumedPoints, msBeforeNext } = result;
  if (Number.isInteger(consumedPoints) && consumedPoints >= 1 && msBeforeNext >= 0)
    return { count: consumedPoints, left: msBeforeNext };
  throw new Error("the answer is not a count");
}

/** The server's error code (WRONGPASS, LOADING, OOM), the system's (ECONNREFUSED), or what kind of error it was: no address, no key. */
function explain(reason: unknown): string {
  if (!(reason instanceof Error)) return "the server cannot be used";
  if ("code" in reason && typeof reason.code === "string") return `the server cannot be reached (${reason.code})`;
  const [refusal] = /^[A-Z]{2,}\b/.exec(reason.message) ?? [];
  if (refusal !== undefined) return `the server refuses (${refusal})`;
  // Only our own messages are known to hold no address.
  return `the server does not answer as it should (${reason.constructor === Error ? reason.message : reason.constructor.name})`;
}

/** 96 bits: no two of a million clients share a key, as far as anybody will ever see. */
const HASH_CHARACTERS = 16;

/** Clients are people's addresses: a shared server gets keyed hashes of them, by the password that all who share it know. */
function createKeys(url: string): (client: string) => string {
  const password = decodeURIComponent(new URL(url).password);
  return (client) => createHmac("sha256", password).update(client).digest("base64url").slice(0, HASH_CHARACTERS);
}
