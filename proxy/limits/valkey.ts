import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createClient } from "@redis/client";
import { RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from "rate-limiter-flexible";
import { RATE_WINDOW_SECONDS } from "../../generator/contract/response-headers.ts";
import { withDeadline } from "../cache/revalidate.ts";
import type { Log } from "../log.ts";
import { CLIENTS_MAX, createWindows, toAllowance, type Count, type Limiter } from "./limiter.ts";

interface ValkeyLimiterOptions {
  /** Never logged: holds a password. */
  url: string;
  perMinute: number;
  now: () => number;
  log: Log;
}

const CONNECT_MILLISECONDS = 1_000;
/** An unanswered ping shows that the server has gone. */
const PING_MILLISECONDS = 5_000;
const SILENCE_MILLISECONDS = 12_000;
/** More than can wait within the deadline: bounds the memory while the server hangs. */
const QUEUE_MAX = 20_000;

/**
 * Resolves after one try: a server that is down, slow
 * or refuses us is logged, and the proxy starts.
 */
export async function openValkeyLimiter(options: ValkeyLimiterOptions) {
  const { url, perMinute, log } = options;
  const client = createClient({
    // The client knows only the older schemes.
    url: url.replace(/^valkey/, "redis"),
    socket: {
      connectTimeout: CONNECT_MILLISECONDS,
      socketTimeout: SILENCE_MILLISECONDS,
      reconnectStrategy: 500,
    },
    // RESP 3 needs Redis 6, and we need nothing of it.
    RESP: 2,
    maintNotifications: "disabled",
    disableClientInfo: true,
    disableOfflineQueue: true,
    commandsQueueMaxLength: QUEUE_MAX,
    pingInterval: PING_MILLISECONDS,
  });
  let lastError: unknown;
  let isClosed = false;
  client.on("error", (error: unknown) => (lastError = error));
  // It tries again after a failure, and a server may accept and never answer.
  const firstAttempt = Promise.race([client.connect(), once(client, "error")]);
  await withDeadline(firstAttempt, CONNECT_MILLISECONDS).catch(() => undefined);
  const storage = { storeClient: client, useRedisPackage: true, rejectIfRedisNotReady: true };
  const limit = { keyPrefix: "rugwatch:limit", points: perMinute, duration: RATE_WINDOW_SECONDS };
  const limiter = createSharedLimiter(
    options,
    new RateLimiterRedis({ ...storage, ...limit }),
    (lost) => {
      const why =
        lost === null ? "" : explain(client.isReady ? lost.reason : (lastError ?? lost.reason));
      const message = `VALKEY_URL: ${why}: each proxy keeps its own limit until the server answers again`;
      if (lost === null)
        log({
          level: "info",
          message: "VALKEY_URL: the server answers, the limit is shared again",
        });
      else if (!isClosed) log({ level: "warn", message });
    },
  );
  await limiter.take("start");
  const close = () => {
    isClosed = true;
    if (client.isOpen) client.destroy();
  };
  return Object.assign(limiter, { close });
}

/** A request waits this long for the shared count. */
const DEADLINE_MILLISECONDS = 100;
/** From a failure to the next try. */
export const RETRY_MILLISECONDS = 1_000;
/** The server's next window may have begun already when ours ends this soon. */
const CLOSING_MILLISECONDS = 1_000;

/**
 * A circuit breaker around the shared count. After a failure no request
 * waits, and one a second tries the server again. Memory also counts
 * each request, so either side continues from the last known count.
 */
function createSharedLimiter(
  { url, perMinute, now }: ValkeyLimiterOptions,
  shared: RateLimiterAbstract,
  tell: (lost: { reason: unknown } | null) => void,
): Limiter {
  const toKey = createKeys(url);
  const memory = createWindows(now, CLIENTS_MAX);
  /** When to try the server again; null: it works. */
  let retryAt: number | null = null;

  async function ask(client: string, alone: Count): Promise<Count> {
    // One try at a time.
    if (retryAt !== null) retryAt = Infinity;
    try {
      const told = await withDeadline(count(shared, toKey(client)), DEADLINE_MILLISECONDS);
      if (retryAt !== null) tell(null);
      retryAt = null;
      return reconcile(client, alone, told);
    } catch (reason) {
      if (retryAt === null) tell({ reason });
      retryAt = now() + RETRY_MILLISECONDS;
      return alone;
    }
  }

  /**
   * Memory learns what others counted, and the server what it missed or a restart made it forget.
   */
  function reconcile(client: string, alone: Count, told: Count): Count {
    if (told.count < alone.count && alone.left > CLOSING_MILLISECONDS) {
      // `set`: concurrent requests would add it several times.
      shared.set(toKey(client), alone.count, Math.floor(alone.left / 1000)).catch(() => undefined);
      return alone;
    }
    // If our window outlasted the shared one, the next would begin with this one's count.
    const left = told.left - DEADLINE_MILLISECONDS;
    if (told.count > alone.count && left > 0) memory.begin(client, told.count, left);
    return told;
  }

  return {
    async take(client) {
      const alone = memory.count(client);
      if (alone.count > perMinute) return toAllowance(perMinute, alone);
      if (retryAt === null) return toAllowance(perMinute, await ask(client, alone));
      if (now() >= retryAt) void ask(client, alone);
      return toAllowance(perMinute, alone);
    },
    get isShared() {
      return retryAt === null;
    },
  };
}

async function count(limiter: RateLimiterAbstract, key: string): Promise<Count> {
  const result = await limiter.consume(key).catch((refused: unknown) => {
    if (refused instanceof RateLimiterRes) return refused;
    throw refused;
  });
  const { consumedPoints, msBeforeNext } = result;
  if (Number.isInteger(consumedPoints) && consumedPoints >= 1 && msBeforeNext >= 0)
    return { count: consumedPoints, left: msBeforeNext };
  throw new Error("the answer is not a count");
}

/**
 * The server's error code (WRONGPASS, OOM), the system's
 * (ECONNREFUSED), or the error's class; never an address or a key.
 */
function explain(reason: unknown): string {
  if (!(reason instanceof Error)) return "the server cannot be used";
  if ("code" in reason && typeof reason.code === "string")
    return `the server cannot be reached (${reason.code})`;
  const [refusal] = /^[A-Z]{2,}\b/.exec(reason.message) ?? [];
  if (refusal !== undefined) return `the server refuses (${refusal})`;
  // Only our own messages surely hold no address.
  return `the server does not answer as it should (${reason.constructor === Error ? reason.message : reason.constructor.name})`;
}

/** 96 bits: a million clients collide with a chance of 10⁻¹⁷. */
const HASH_CHARACTERS = 16;

/** Addresses are personal: the server gets hashes, keyed by the password that all proxies share. */
function createKeys(url: string): (client: string) => string {
  const password = decodeURIComponent(new URL(url).password);
  return (client) =>
    createHmac("sha256", password).update(client).digest("base64url").slice(0, HASH_CHARACTERS);
}
