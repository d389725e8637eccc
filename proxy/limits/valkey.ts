import { createHmac } from "node:crypto";
import { createClient } from "@redis/client";
import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { RATE_WINDOW_SECONDS } from "../../generator/contract/response-headers.ts";
import { DeadlineError, withDeadline } from "../deadline.ts";
import { createTrouble, type Log } from "../log.ts";
import type { Limiter } from "./rate-limit.ts";
import { MemoryLimiter } from "./memory-limiter.ts";

interface ValkeyLimiterOptions {
  /** Never logged: holds a password. */
  url: string;
  perMinute: number;
  /** Milliseconds that never go back. */
  steadyNow: () => number;
  log: Log;
}

const CONNECT_MILLISECONDS = 1_000;
/** A request waits this long at most. */
const ANSWER_MILLISECONDS = 250;
/** While the server hangs, one request in so long asks it again; all others are counted here. */
const RETRY_MILLISECONDS = 1_000;
/** Bounds the memory while the server hangs. */
const QUEUE_MAX = 20_000;

/** Resolves after one try: the proxy starts also while the server is down. */
export async function openValkeyLimiter(options: ValkeyLimiterOptions): Promise<Limiter> {
  const { url, perMinute, steadyNow, log } = options;
  const client = createClient({
    // The client knows only the older schemes.
    url: url.replace(/^valkey/, "redis"),
    socket: { connectTimeout: CONNECT_MILLISECONDS, reconnectStrategy: 500 },
    // RESP 3 needs Redis 6, and we need nothing of it.
    RESP: 2,
    maintNotifications: "disabled",
    disableClientInfo: true,
    disableOfflineQueue: true,
    commandsQueueMaxLength: QUEUE_MAX,
  });
  const logTrouble = createTrouble({ log, steadyNow });
  let lastError: unknown;
  client.on("error", (error: unknown) => (lastError = error));
  client.on("ready", () => (lastError = undefined));
  // It tries again after a failure, and a server may accept and never answer.
  await withDeadline(client.connect(), CONNECT_MILLISECONDS).catch(() => undefined);
  const insurance = new Insurance(perMinute, steadyNow, () =>
    logTrouble(`VALKEY_URL: ${explain(lastError)}: each proxy counts alone until it answers again`),
  );
  const limiter = new RateLimiterRedis({
    storeClient: client,
    useRedisPackage: true,
    rejectIfRedisNotReady: true,
    keyPrefix: "rugwatch:limit",
    points: perMinute,
    duration: RATE_WINDOW_SECONDS,
    // The server is not asked about clients that are over their limit.
    inMemoryBlockOnConsumed: perMinute + 1,
    insuranceLimiter: insurance,
  });
  const toKey = createKeys(url);
  /** A circuit breaker; null: the server answers. A server that hangs is not known to the client. */
  let retryAt: number | null = null;
  return {
    points: perMinute,
    async consume(clientKey) {
      const key = toKey(String(clientKey));
      if (retryAt !== null) {
        if (steadyNow() < retryAt) return insurance.consume(key);
        retryAt = steadyNow() + RETRY_MILLISECONDS;
      }
      const counted = limiter.consume(key).finally(() => (retryAt = null));
      counted.catch(() => undefined);
      try {
        return await withDeadline(counted, ANSWER_MILLISECONDS);
      } catch (error) {
        if (error instanceof RateLimiterRes) throw error;
        retryAt = steadyNow() + RETRY_MILLISECONDS;
        lastError = error;
        return insurance.consume(key);
      }
    },
    isShared: () => client.isReady && retryAt === null,
    close() {
      if (client.isOpen) client.destroy();
    },
  };
}

/** Counts while the server cannot, and says so. */
class Insurance extends MemoryLimiter {
  readonly #onUsed: () => void;

  constructor(perMinute: number, steadyNow: () => number, onUsed: () => void) {
    super(perMinute, steadyNow);
    this.#onUsed = onUsed;
  }

  override consume(client: string): Promise<RateLimiterRes> {
    this.#onUsed();
    return super.consume(client);
  }
}

/**
 * The server's error code (WRONGPASS), the system's (ECONNREFUSED),
 * or less; never an address or a key.
 */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return "the server does not answer as it should";
  if (error instanceof DeadlineError) return `the server gives ${error.message}`;
  if ("code" in error && typeof error.code === "string")
    return `the server cannot be reached (${error.code})`;
  const [refusal] = /^[A-Z]{2,}\b/.exec(error.message) ?? [];
  return `the server refuses (${refusal ?? error.constructor.name})`;
}

/** 96 bits: a million clients collide with a chance of 10⁻¹⁷. */
const HASH_CHARACTERS = 16;

/** Addresses are personal: the server gets hashes, keyed by the password that all proxies share. */
function createKeys(url: string): (client: string) => string {
  const password = decodeURIComponent(new URL(url).password);
  return (client) =>
    createHmac("sha256", password).update(client).digest("base64url").slice(0, HASH_CHARACTERS);
}
