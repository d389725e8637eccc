import { majorityOf } from "../contract/panel.ts";
import { RpcError } from "./error.ts";

/** Runs a task after some milliseconds, unless what it returns is called before. */
export type Later = (milliseconds: number, task: () => void) => () => void;

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
  later,
  leastMilliseconds,
}: {
  timer: () => number;
  later: Later;
  leastMilliseconds: number;
}): WithGrace {
  return async (witnesses, ask) => {
    const startedAt = timer();
    const panel = new Set(witnesses);
    const answered = new Set<string>();
    const late = new AbortController();
    let hasBegun = false;
    let end = (): void => undefined;

    try {
      return await ask({
        cut: late.signal,
        answered(witness) {
          if (panel.has(witness)) answered.add(witness);
          if (hasBegun || answered.size < majorityOf(panel.size)) return;
          hasBegun = true;
          const milliseconds = Math.max(leastMilliseconds, timer() - startedAt);
          end = later(milliseconds, () => late.abort(toLateError()));
        },
      });
    } finally {
      hasBegun = true;
      end();
    }
  };
}

function toLateError(): RpcError {
  return new RpcError({
    kind: "timeout",
    message: "no answer in time, while most witnesses answered",
  });
}
