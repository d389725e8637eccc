import { majorityOf } from "../contract/panel.ts";
import { RpcError } from "./error.ts";

/** Waits for some milliseconds; rejects with the signal's reason once it aborts. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<unknown>;

/** Of one question that all witnesses are asked at once. */
export interface Grace {
  /** Aborts with an {@link RpcError} when the grace is over. */
  cut: AbortSignal;
  /** Notes a good answer. The one that makes the majority starts the grace. */
  answered: (witness: string) => void;
}

/**
 * Asks a question. Its grace ends with `ask`, however that ends.
 * @param witnesses equal names count once
 * @throws what `ask` throws
 */
export type WithGrace = <T>(
  witnesses: readonly string[],
  ask: (grace: Grace) => Promise<T>,
) => Promise<T>;

/**
 * Once more than half of the witnesses have answered, the others have as long again as that took,
 * and at least `leastMilliseconds`. An entry keeps whoever is late as silent.
 * @param timer monotonic milliseconds
 */
export function createGraces({
  timer,
  wait,
  leastMilliseconds,
}: {
  timer: () => number;
  wait: Wait;
  leastMilliseconds: number;
}): WithGrace {
  return async (witnesses, ask) => {
    const startedAt = timer();
    const panel = new Set(witnesses);
    const answered = new Set<string>();
    const late = new AbortController();
    const ended = new AbortController();
    let hasBegun = false;

    function begin(): void {
      hasBegun = true;
      wait(Math.max(leastMilliseconds, timer() - startedAt), ended.signal).then(
        () => late.abort(toLateError()),
        // Rejects only because it has ended.
        () => undefined,
      );
    }

    try {
      return await ask({
        cut: late.signal,
        answered(witness) {
          if (panel.has(witness)) answered.add(witness);
          if (!hasBegun && answered.size >= majorityOf(panel.size)) begin();
        },
      });
    } finally {
      ended.abort();
    }
  };
}

function toLateError(): RpcError {
  return new RpcError({
    kind: "timeout",
    message: "no answer in time, while most witnesses answered",
  });
}
