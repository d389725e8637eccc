import { createHmac } from "node:crypto";
import { createClient } from "@redis/client";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { RATE_WINDOW_SECONDS } from "../../generator/contract/response-headers.ts";
import type { Log } from "../operations/log.ts";
import { createSharedLimiter, type Limiter } from "./limiter.ts";

interface ValkeyLimiterOptions {
  /** Holds a password: never to be logged. */
  url: string;
  perMinute: number;
  /** Milliseconds that only go up. */
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
export async function openValkeyLimiter({ url, perMinute, now, log }: ValkeyLimiterOptions) {
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
  const limiter: Limiter = createSharedLimiter({
    perMinute,
    shared: new RateLimiterRedis({ ...storage, ...limit }),
    toKey: createKeys(url),
    now,
    onLost(reason) {
      const why = explain(client.isReady ? reason : (lastError ?? reason));
      const message = `VALKEY_URL: ${why}: each proxy keeps its own limit until the server answers again`;
      if (!isClosed) log({ level: "warn", message });
    },
    onBack: () => log({ level: "info", message: "VALKEY_URL: the server answers, the limit is shared again" }),
  });
  await firstAttempt;
  await limiter.take("start");
  /** Hangs up; from then on this process counts alone. May be called again. */
  const close = () => {
    isClosed = true;
    if (client.isOpen) client.destroy();
  };
  return Object.assign(limiter, { close });
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
