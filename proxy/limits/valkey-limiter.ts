import { createHmac } from "node:crypto";
import { createFallbackLimiter } from "./fallback.ts";
import type { Limiter } from "./limiter.ts";
import { connectToValkey } from "./valkey-connection.ts";
import type { ValkeyAddress } from "./valkey-address.ts";
import type { Log } from "../log/entry.ts";

interface ValkeyLimiterOptions {
  address: ValkeyAddress;
  /** Requests that a client has in a window. */
  perMinute: number;
  /** Counts while the server cannot. */
  fallback: Limiter;
  /** Milliseconds. */
  now: () => number;
  log: Log;
}

/** A limiter that holds a connection. */
export interface ValkeyLimiter extends Limiter {
  /** Hangs up; from then on the fallback counts. May be called again. */
  close(): Promise<void>;
}

const KEY_PREFIX = "rugwatch:limit:";
/** 96 bits: no two of a million clients share a key, as far as anybody will ever see. */
const HASH_CHARACTERS = 16;

/**
 * Counts on a server of Valkey or Redis, one count for all processes that use it. Resolves when it was tried once: a server
 * that is down, slow or refuses us is said in the log and does not keep the proxy from starting.
 */
export async function openValkeyLimiter(options: ValkeyLimiterOptions): Promise<ValkeyLimiter> {
  const { address, perMinute, fallback, now, log } = options;
  const connection = connectToValkey(address);
  const toKey = createKeys(address);
  let isClosed = false;
  const limiter = createFallbackLimiter({
    ask: (client) => connection.count(toKey(client), perMinute),
    fallback,
    now,
    onLost: (reason) => {
      if (isClosed) return;
      const why = connection.explain(reason);
      log({
        level: "warn",
        message: `VALKEY_URL: ${why}: each proxy keeps its own limit until the server answers again`,
      });
    },
    onBack: () => log({ level: "info", message: "VALKEY_URL: the server answers, the limit is shared again" }),
  });

  await connection.firstAttempt;
  await limiter.take("start");
  return {
    take: (client) => limiter.take(client),
    get isShared() {
      return limiter.isShared;
    },
    close() {
      isClosed = true;
      connection.close();
      return Promise.resolve();
    },
  };
}

/**
 * Clients are people's addresses, and a shared server has other readers, backups and monitors: its keys are keyed hashes,
 * gone after a minute. The key is the server's password, which all processes that share the count know; without a password,
 * whoever reads the keys can find an IPv4 address by trying all of them.
 */
function createKeys({ password = "" }: ValkeyAddress): (client: string) => string {
  return (client) => {
    const hash = createHmac("sha256", password).update(client).digest("base64url");
    return KEY_PREFIX + hash.slice(0, HASH_CHARACTERS);
  };
}
