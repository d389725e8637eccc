import type { Sleep } from "./throttle.ts";
import { RpcError, type RpcErrorKind } from "./error.ts";

const QUARTER_HOUR_MILLISECONDS = 15 * 60_000;
const DAY_MILLISECONDS = 24 * 60 * 60_000;
/**
 * Methods without which nothing can be observed. If a gateway refuses one by mistake, the only
 * endpoint must not be lost for a day.
 */
const ESSENTIAL_CIRCUITS = new Set(["getGenesisHash", "getEpochInfo", "getVoteAccounts"]);
/**
 * Longest pause of these methods: a limit met late in one check delays the next one by seconds
 * only.
 */
const ESSENTIAL_REST_MILLISECONDS = 50_000;
/**
 * After a hang the next check, a minute later, does not ask. Each further hang doubles the time,
 * so that one that hangs for hours costs the others a grace every six minutes.
 */
const HUNG_MILLISECONDS = { first: 90_000, most: 6 * 60_000 };

interface CircuitBreaker {
  /**
   * Waits until the endpoint may be asked.
   * @param circuit see `circuitOf` in rpc.ts
   * @throws {RpcError} `resting` when the wait would pass the deadline; `refused` or `forbidden`
   * while the circuit is open; `resting` after a hang
   */
  admit(call: { circuit: string; deadline: number }): Promise<void>;
  recordFailure(circuit: string, error: RpcError): void;
  /** It did not answer, while others did. */
  recordHang(circuit: string): void;
  recordSuccess(circuit: string): void;
}

/**
 * Makes the circuit breaker of one endpoint. After a refusal it stops asking that circuit for 15
 * minutes or a day; after Retry-After it pauses all.
 * @param now milliseconds, by the clock of the deadlines
 */
export function createCircuitBreaker({
  now,
  sleep,
}: {
  now: () => number;
  sleep: Sleep;
}): CircuitBreaker {
  const opened = new Map<string, { until: number; error: RpcError }>();
  const hangs = new Map<string, { until: number; milliseconds: number }>();
  const quietUntil = { essential: -Infinity, other: -Infinity };

  function assertClosed(circuit: string): void {
    const hang = hangs.get(circuit);
    if (hang !== undefined && hang.until > now()) throw toHungError(hang.until - now());
    const failure = opened.get(circuit);
    if (failure === undefined || failure.until <= now()) return;
    const { kind, code, message } = failure.error;
    throw new RpcError({
      kind,
      code,
      message: `${kind} earlier and not asked again yet: ${message}`,
    });
  }

  return {
    async admit({ circuit, deadline }) {
      assertClosed(circuit);
      const of = ESSENTIAL_CIRCUITS.has(circuit) ? "essential" : "other";
      for (let wait = quietUntil[of] - now(); wait > 0; wait = quietUntil[of] - now()) {
        if (quietUntil.other >= deadline) throw toRestingError(wait);
        await sleep(wait);
      }
      assertClosed(circuit);
    },
    recordFailure(circuit, error) {
      const rest = error.retryAfterMilliseconds ?? 0;
      quietUntil.essential = Math.max(
        quietUntil.essential,
        now() + Math.min(rest, ESSENTIAL_REST_MILLISECONDS),
      );
      quietUntil.other = Math.max(quietUntil.other, now() + rest);
      const milliseconds = toOpenMilliseconds(circuit, error.kind);
      if (milliseconds > 0) opened.set(circuit, { until: now() + milliseconds, error });
    },
    recordHang(circuit) {
      const doubled = (hangs.get(circuit)?.milliseconds ?? 0) * 2;
      const { first, most } = HUNG_MILLISECONDS;
      const milliseconds = Math.min(Math.max(doubled, first), most);
      hangs.set(circuit, { until: now() + milliseconds, milliseconds });
    },
    recordSuccess: (circuit) => void hangs.delete(circuit),
  };
}

function toOpenMilliseconds(circuit: string, kind: RpcErrorKind): number {
  if (kind === "forbidden") return QUARTER_HOUR_MILLISECONDS;
  if (kind !== "refused") return 0;
  return ESSENTIAL_CIRCUITS.has(circuit) ? QUARTER_HOUR_MILLISECONDS : DAY_MILLISECONDS;
}

function toHungError(milliseconds: number): RpcError {
  const seconds = Math.ceil(milliseconds / 1000);
  return new RpcError({
    kind: "resting",
    message: `not asked: it gave no answer in time while others did, and is asked again in ${seconds} s`,
  });
}

function toRestingError(milliseconds: number): RpcError {
  const seconds = Math.ceil(milliseconds / 1000);
  return new RpcError({
    kind: "resting",
    message: `not asked: the endpoint wants a pause of another ${seconds} s`,
  });
}
