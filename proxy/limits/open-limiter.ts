import type { Log } from "../log.ts";
import { MemoryLimiter } from "./memory-limiter.ts";
import type { Limiter } from "./rate-limit.ts";

interface LimitSettings {
  rateLimitPerMinute: number;
  valkeyUrl: string | null;
}

/**
 * Loads the Valkey client only when needed: it takes 100 ms and 10 MB.
 * @param steadyNow milliseconds that never go back
 */
export async function openLimiter(
  { rateLimitPerMinute: perMinute, valkeyUrl: url }: LimitSettings,
  steadyNow: () => number,
  log: Log,
): Promise<Limiter> {
  if (url === null) return new MemoryLimiter(perMinute, steadyNow);
  const { openValkeyLimiter } = await import("./valkey.ts");
  return openValkeyLimiter({ url, perMinute, steadyNow, log });
}
