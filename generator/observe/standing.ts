import type { Sleep } from "./retry.ts";
import { RpcError, type RpcErrorKind } from "./rpc-error.ts";

/** What an endpoint does not offer today it does not offer in the next minute either. */
const BARRED_MILLISECONDS = new Map<RpcErrorKind, number>([
  ["refused", 24 * 60 * 60_000],
  ["forbidden", 15 * 60_000],
]);

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
      const milliseconds = BARRED_MILLISECONDS.get(error.kind);
      if (milliseconds !== undefined) barred.set(way, { until: now() + milliseconds, error });
    },
  };
}

function toRestingError(milliseconds: number): RpcError {
  const seconds = Math.ceil(milliseconds / 1000);
  return new RpcError({ kind: "resting", message: `not asked: it wants to be left alone for another ${seconds} s` });
}
