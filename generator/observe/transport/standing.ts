import type { Sleep } from "./retry.ts";
import { RpcError, type RpcErrorKind } from "./rpc-error.ts";

const QUARTER_HOUR_MILLISECONDS = 15 * 60_000;
const DAY_MILLISECONDS = 24 * 60 * 60_000;
/** Without these nothing at all is seen: one stray refusal of a gateway must not cost the only endpoint for a day. */
const ESSENTIAL_WAYS = new Set(["getGenesisHash", "getEpochInfo", "getVoteAccounts"]);

/** How we stand with one endpoint: what it refused, and how long it wants to be left alone. Lasts as long as the process. */
export interface Standing {
  /**
   * Waits while the endpoint wants to be left alone.
   * @param way what is refused as one; see `toWay` in rpc.ts
   * @param deadline reading of the clock, in milliseconds, that the wait must end before
   * @throws {RpcError} `resting` at once when it cannot; `refused` or `forbidden` while the way is barred
   */
  admit(call: { way: string; deadline: number }): Promise<void>;
  /** Takes in what a failure says about later calls. */
  learn(way: string, error: RpcError): void;
}

export function createStanding({ now, sleep }: { now: () => number; sleep: Sleep }): Standing {
  const barred = new Map<string, { until: number; error: RpcError }>();
  let quietUntil = -Infinity;

  function assertOpen(way: string): void {
    const bar = barred.get(way);
    if (bar === undefined || bar.until <= now()) return;
    const { kind, code, message } = bar.error;
    throw new RpcError({ kind, code, message: `${kind} earlier and not asked again yet: ${message}` });
  }

  return {
    async admit({ way, deadline }) {
      assertOpen(way);
      for (let wait = quietUntil - now(); wait > 0; wait = quietUntil - now()) {
        if (quietUntil >= deadline) throw toRestingError(wait);
        await sleep(wait);
      }
      assertOpen(way);
    },
    learn(way, error) {
      if (error.retryAfterMilliseconds !== null) {
        quietUntil = Math.max(quietUntil, now() + error.retryAfterMilliseconds);
      }
      const milliseconds = toBar(way, error.kind);
      if (milliseconds > 0) barred.set(way, { until: now() + milliseconds, error });
    },
  };
}

/** For how long: what an endpoint does not offer today it does not offer in the next minute either. */
function toBar(way: string, kind: RpcErrorKind): number {
  if (kind === "forbidden") return QUARTER_HOUR_MILLISECONDS;
  if (kind !== "refused") return 0;
  return ESSENTIAL_WAYS.has(way) ? QUARTER_HOUR_MILLISECONDS : DAY_MILLISECONDS;
}

function toRestingError(milliseconds: number): RpcError {
  const seconds = Math.ceil(milliseconds / 1000);
  return new RpcError({ kind: "resting", message: `not asked: it wants to be left alone for another ${seconds} s` });
}
