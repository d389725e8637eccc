import type { z } from "zod";
import type { UsableEndpoint, Witness } from "../../rpc/ranking.ts";
import { withFailover } from "../../rpc/retry.ts";
import { type Sleep, createPace } from "../../rpc/throttle.ts";
import { RpcError, type RpcErrorKind, isPassing } from "../../rpc/error.ts";

/** Until when something is asked for, by the readers' clock; `cut` may end it earlier. */
export interface Until {
  deadline: number;
  cut: AbortSignal;
}

/** A witness that is called at a limited rate, and no more after repeated silence. */
export interface PacedWitness {
  label: string;
  /**
   * @param deadline missing it is not the witness's fault
   * @throws {RpcError} at once after too many silences
   */
  ask<T>(deadline: number, task: (endpoint: PacedEndpoint) => Promise<T>): Promise<T>;
}

/**
 * An endpoint of a paced witness. A call waits for its turn, and throws an RpcError when it
 * fails.
 */
export interface PacedEndpoint {
  label: string;
  /** Finalized, when the witness last answered with its epoch. */
  slot: number;
  call<T>(call: {
    method: string;
    params?: unknown[];
    schema: z.ZodType<T>;
    until: Until;
  }): Promise<T>;
}

/** `timer` gives monotonic milliseconds. */
export interface Pacing {
  /** Of each endpoint, over all methods. */
  callsPerSecond: number;
  timer: () => number;
  sleep: Sleep;
}

/** Several calls at once let a slow witness answer as many questions as a fast one. */
const LANES = 4;
const ATTEMPT_MILLISECONDS = 15_000;
/** A page of 1,000 rows is under 1 MB, a transaction with logs under 200 KB. */
const ANSWER_BYTES_MAX = 4_000_000;
/** More would use up the others' time. */
const SILENCES_MAX = 3;
const SILENCE: ReadonlySet<RpcErrorKind> = new Set(["network", "timeout"]);

/** Paces a witness. One that is unusable already fails every call with its reason. */
export function toPacedWitness(
  { label, endpoints, reason }: Witness,
  pacing: Pacing,
): PacedWitness {
  const paced = endpoints.map((endpoint) => toPacedEndpoint(endpoint, pacing));
  let silences = 0;
  let silence = reason;
  return {
    label,
    async ask(deadline, task) {
      if (silence !== null) throw new RpcError({ kind: "network", message: silence });
      try {
        const answer = await withFailover(paced, task);
        silences = 0;
        return answer;
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        if (pacing.timer() >= deadline) throw error;
        silences = SILENCE.has(error.kind) ? silences + 1 : 0;
        if (silences >= SILENCES_MAX)
          silence = `not asked after ${silences} failures in a row: ${error.message}`;
        throw error;
      }
    },
  };
}

/** Works on items in order, four at a time. It rejects with the first failure. */
export async function inLanes<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const waiting = items.entries();
  const lane = async () => {
    for (const [index, item] of waiting) await work(item, index);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

function toPacedEndpoint({ reader, until, epoch }: UsableEndpoint, pacing: Pacing): PacedEndpoint {
  const pace = createPace({ ...pacing, now: pacing.timer });
  return {
    label: reader.label,
    slot: epoch.absoluteSlot,
    call: ({ until: { deadline, cut }, ...call }) =>
      until(deadline, cut).call({
        ...call,
        // Without a history of transactions a node refuses the method whatever is asked.
        circuit: call.method,
        pace,
        attemptMilliseconds: ATTEMPT_MILLISECONDS,
        maxBytes: ANSWER_BYTES_MAX,
        isWorthRetrying,
      }),
  };
}

/** A late node behind a shared address catches up in a moment. */
function isWorthRetrying(error: RpcError): boolean {
  return isPassing(error) || error.kind === "behind";
}
