import type { Limiter } from "./limiter.ts";
import { createMemoryLimiter } from "./memory-limiter.ts";
import type { ValkeyAddress } from "./valkey-address.ts";
import type { Log } from "../log/entry.ts";

interface LimiterSettings {
  rateLimitPerMinute: number;
  /** null: this process counts alone. */
  valkey: ValkeyAddress | null;
}

interface OpenLimiterOptions {
  settings: LimiterSettings;
  /** Counts while the server of `settings.valkey` cannot; in memory by default. */
  fallback?: Limiter | undefined;
  /** Milliseconds. Of the machine: a limit is about its load, also where the proxy tells another time. */
  now: () => number;
  log: Log;
}

/** A limiter that may hold a connection. */
export interface OpenLimiter extends Limiter {
  close(): Promise<void>;
}

/** The limiter that the settings ask for. */
export async function openLimiter({ settings, fallback, now, log }: OpenLimiterOptions): Promise<OpenLimiter> {
  const { rateLimitPerMinute: perMinute, valkey: address } = settings;
  const alone = fallback ?? createMemoryLimiter({ perMinute, now });
  if (address !== null) {
    // Loaded only here: who has no such server should not pay some 100 ms and 10 MB for its client with every start.
    const { openValkeyLimiter } = await import("./valkey-limiter.ts");
    return openValkeyLimiter({ address, perMinute, fallback: alone, now, log });
  }
  return {
    take: (client) => alone.take(client),
    get isShared() {
      return alone.isShared;
    },
    close: () => Promise.resolve(),
  };
}
