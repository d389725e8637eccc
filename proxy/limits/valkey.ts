import { createHmac } from "node:crypto";
import { createClient } from "@redis/client";
import { RateLimiterRedis } from "rate-limiter-flexible";
import type { Log } from "../operations/log.ts";
import type { ValkeyAddress } from "../settings.ts";
import { createSharedLimiter, WINDOW_SECONDS, type Limiter } from "./limiter.ts";

interface ValkeyLimiterOptions {
  address: ValkeyAddress;
  /** Requests that a client has in a window. */
  perMinute: number;
  /** Milliseconds that only go up. */
  now: () => number;
  log: Log;
}

/** A limiter that holds a connection. */
export interface ValkeyLimiter extends Limiter {
  /** Hangs up; from then on this process counts alone. May be called again. */
  close(): void;
}

/**
 * Counts on a server of Valkey or Redis, one count for all processes that use it. Resolves when it was tried once: a server
 * that is down, slow or refuses us is said in the log and does not keep the proxy from starting.
 */
export async function openValkeyLimiter({
  address,
  perMinute,
  now,
  log,
}: ValkeyLimiterOptions): Promise<ValkeyLimiter> {
  const { client, firstAttempt, explain } = connect(address);
  let isClosed = false;
  const onLost = (reason: unknown) => {
    const message = `VALKEY_URL: ${explain(reason)}: each proxy keeps its own limit until the server answers again`;
    if (!isClosed) log({ level: "warn", message });
  };
  const shared = new RateLimiterRedis({
    storeClient: client,
    useRedisPackage: true,
    rejectIfRedisNotReady: true,
    keyPrefix: "rugwatch:limit",
    points: perMinute,
    duration: WINDOW_SECONDS,
    // Who is over the limit is refused without asking the server.
    inMemoryBlockOnConsumed: perMinute + 1,
  });
  const onBack = () => log({ level: "info", message: "VALKEY_URL: the server answers, the limit is shared again" });
  const limiter = createSharedLimiter({ perMinute, shared, toKey: createKeys(address), now, onLost, onBack });
  await firstAttempt;
  await limiter.take("start");
  return Object.assign(limiter, {
    close() {
      isClosed = true;
      if (client.isOpen) client.destroy();
    },
  });
}

const CONNECT_MILLISECONDS = 1_000;
const RECONNECT_MILLISECONDS = 500;
/** A server that went without a word is noticed by a ping that stays unanswered. */
const PING_MILLISECONDS = 5_000;
const SILENCE_MILLISECONDS = 12_000;
/** More than any number of requests that can wait in a deadline's time; a server that hangs does not fill the memory. */
const QUEUE_MAX = 20_000;

/** Connects, and goes on trying until it is closed. */
function connect({ host, port, tls, username, password, database }: ValkeyAddress) {
  const times = {
    connectTimeout: CONNECT_MILLISECONDS,
    socketTimeout: SILENCE_MILLISECONDS,
    reconnectStrategy: RECONNECT_MILLISECONDS,
  };
  const client = createClient({
    socket: tls ? { host, port, tls, ...times } : { host, port, ...times },
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    database,
    // Servers older than Redis 6 know no other, and we need nothing of the newer one.
    RESP: 2,
    maintNotifications: "disabled",
    disableClientInfo: true,
    disableOfflineQueue: true,
    commandsQueueMaxLength: QUEUE_MAX,
    pingInterval: PING_MILLISECONDS,
  });
  let lastError: unknown;
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
  return {
    client,
    firstAttempt,
    explain: (reason: unknown) => explain(client.isReady ? reason : (lastError ?? reason)),
  };
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

/**
 * Clients are people's addresses, and a shared server has other readers, backups and monitors: its keys are keyed hashes,
 * gone after a minute. The key is the server's password, which all processes that share the count know; without a password,
 * whoever reads the keys can find an IPv4 address by trying all of them.
 */
function createKeys({ password = "" }: ValkeyAddress): (client: string) => string {
  return (client) => createHmac("sha256", password).update(client).digest("base64url").slice(0, HASH_CHARACTERS);
}
