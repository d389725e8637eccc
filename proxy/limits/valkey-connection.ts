import { createClient, defineScript, type CommandParser } from "@redis/client";
import { toAllowance, WINDOW_MILLISECONDS, type Allowance } from "./limiter.ts";
import type { ValkeyAddress } from "./valkey-address.ts";

/** A connection that is made again whenever it breaks. */
export interface ValkeyConnection {
  /** Resolves when connecting worked or failed once, or after a second: a server may take connections and say nothing. */
  firstAttempt: Promise<void>;
  /** Counts a request under a key, in one round trip. Rejects at once while there is no connection. */
  count(key: string, limit: number): Promise<Allowance>;
  /** What is wrong, fit for a log: no address, no name, no key. */
  explain(reason: unknown): string;
  close(): void;
}

/**
 * Scripts run one at a time, and none is seen half done (https://valkey.io/topics/eval-intro): the count is exact however
 * many ask at once. The key is made with its expiry, in one command, so that none is ever left without; one that somebody
 * else made last forever, or longer than a window after the server's clock was set back, gets a whole window.
 */
const COUNT_SCRIPT = `
redis.call('SET', KEYS[1], 0, 'PX', ARGV[1], 'NX')
local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 or left > tonumber(ARGV[1]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return { count, left }
`;

const countScript = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: COUNT_SCRIPT,
  parseCommand(parser: CommandParser, key: string) {
    parser.pushKey(key);
    parser.push(String(WINDOW_MILLISECONDS));
  },
  transformReply: (reply: unknown) => reply,
});

const CONNECT_MILLISECONDS = 1_000;
const RECONNECT_MILLISECONDS = 500;
/** A server that went without a word is noticed by a ping that stays unanswered. */
const PING_MILLISECONDS = 5_000;
const SILENCE_MILLISECONDS = 12_000;
/** More than any number of requests that can wait in a deadline's time; a server that hangs does not fill the memory. */
const QUEUE_MAX = 20_000;

/** Connects, and goes on trying until it is closed. */
export function connectToValkey({ host, port, tls, username, password, database }: ValkeyAddress): ValkeyConnection {
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
    scripts: { count: countScript },
    // Servers older than Redis 6 know no other, and we need nothing of the newer one.
    RESP: 2,
    maintNotifications: "disabled",
    disableClientInfo: true,
    disableOfflineQueue: true,
    commandsQueueMaxLength: QUEUE_MAX,
    pingInterval: PING_MILLISECONDS,
  });
  let lastError: unknown;
  const firstAttempt = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, CONNECT_MILLISECONDS);
    const settle = () => {
      clearTimeout(timer);
      resolve();
    };
    client.on("ready", settle).on("error", (error) => {
      lastError = error;
      settle();
    });
  });
  // Every failure is an event as well; the promise rejects only when we hang up ourselves.
  client.connect().catch(() => undefined);

  return {
    firstAttempt,
    count: async (key, limit) => toCountedAllowance(await client.count(key), limit),
    explain: (reason) => toReason(client.isReady ? reason : (lastError ?? reason)),
    close: () => {
      if (client.isOpen) client.destroy();
    },
  };
}

function toCountedAllowance(reply: unknown, limit: number): Allowance {
  const [count, left] = Array.isArray(reply) ? (reply as unknown[]) : [];
  if (isWhole(count, 1, Infinity) && isWhole(left, 0, WINDOW_MILLISECONDS)) return toAllowance({ limit, count, left });
  throw new Error("the answer is not a count");
}

function isWhole(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && min <= (value as number) && (value as number) <= max;
}

/** The server's error code (WRONGPASS, LOADING, READONLY, OOM), the system's (ECONNREFUSED), or what kind of error it was. */
function toReason(reason: unknown): string {
  if (!(reason instanceof Error)) return "the server cannot be used";
  if ("code" in reason && typeof reason.code === "string") return `the server cannot be reached (${reason.code})`;
  const [refusal] = /^[A-Z]{2,}\b/.exec(reason.message) ?? [];
  if (refusal !== undefined) return `the server refuses (${refusal})`;
  // Only our own messages are known to hold no address.
  return `the server does not answer as it should (${reason.constructor === Error ? reason.message : reason.constructor.name})`;
}
