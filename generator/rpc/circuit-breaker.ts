import type { Sleep } from "./throttle.ts";
import { RpcError, type RpcErrorKind } from "./error.ts";

const QUARTER_HOUR_MILLISECONDS = 15 * 60_000;
const DAY_MILLISECONDS = 24 * 60 * 60_000;
/** A gateway's stray refusal of these must not cost the only endpoint for a day. */
const ESSENTIAL_WAYS = new Set(["getGenesisHash", "getEpochInfo", "getVoteAccounts"]);
/** A limit met late in one check delays the next one by seconds only. */
const ESSENTIAL_REST_MILLISECONDS = 50_000;

interface CircuitBreaker {
  /**
   * @param way see `toWay` in rpc.ts
   * @throws {RpcError} `resting` when the wait would pass the deadline; `refused` or `forbidden` while the way is
   * barred
   */
  admit(call: { way: string; deadline: number }): Promise<void>;
  learn(way: string, error: RpcError): void;
}

export function createCircuitBreaker({ now, sleep }: { now: () => number; sleep: Sleep }): CircuitBreaker {
  const barred = new Map<string, { until: number; error: RpcError }>();
  const quietUntil = { essential: -Infinity, other: -Infinity };

  function assertOpen(way: string): void {
    const bar = barred.get(way);
    if (bar === undefined || bar.until <= now()) return;
    const { kind, code, message } = bar.error;
    throw new RpcError({ kind, code, message: `${kind} earlier and not asked again yet: ${message}` });
  }

  return {
    async admit({ way, deadline }) {
      assertOpen(way);
      const of = ESSENTIAL_WAYS.has(way) ? "essential" : "other";
      for (let wait = quietUntil[of] - now(); wait > 0; wait = quietUntil[of] - now()) {
        if (quietUntil.other >= deadline) throw toRestingError(wait);
        await sleep(wait);
      }
      assertOpen(way);
    },
    learn(way, error) {
      const rest = error.retryAfterMilliseconds ?? 0;
      quietUntil.essential = Math.max(quietUntil.essential, now() + Math.min(rest, ESSENTIAL_REST_MILLISECONDS));
      quietUntil.other = Math.max(quietUntil.other, now() + rest);
      const milliseconds = toBar(way, error.kind);
      if (milliseconds > 0) barred.set(way, { until: now() + milliseconds, error });
    },
  };
}

function toBar(way: string, kind: RpcErrorKind): number {
  if (kind === "forbidden") return QUARTER_HOUR_MILLISECONDS;
  if (kind !== "refused") return 0;
  return ESSENTIAL_WAYS.has(way) ? QUARTER_HOUR_MILLISECONDS : DAY_MILLISECONDS;
}

function toRestingError(milliseconds: number): RpcError {
  const seconds = Math.ceil(milliseconds / 1000);
  return new RpcError({ kind: "resting", message: `not asked: the endpoint wants a pause of another ${seconds} s` });
}
