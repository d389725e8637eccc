import type { z } from "zod";
import type { UsableEndpoint, Witness } from "../../rpc/ranking.ts";
import { withFailover } from "../../rpc/retry.ts";
import { type Sleep, createPace } from "../../rpc/throttle.ts";
import { RpcError, type RpcErrorKind, isPassing } from "../../rpc/error.ts";

/** A witness that is asked much, and so at a measured pace. */
export interface PacedWitness {
  label: string;
  /**
   * @param deadline that the task itself keeps: being late for it is not the witness's fault
   * @throws {RpcError} of the last one's kind; at once when the witness has been silent too often
   */
  ask<T>(deadline: number, task: (endpoint: PacedEndpoint) => Promise<T>): Promise<T>;
}

export interface PacedEndpoint {
  label: string;
  /** Finalized, when it was last asked for its epoch. */
  slot: number;
  /**
   * @param call.deadline reading of the clock that the endpoint was made with
   * @throws {RpcError}
   */
  call<T>(call: { method: string; params?: unknown[]; schema: z.ZodType<T>; deadline: number }): Promise<T>;
}

export interface Pacing {
  /** Of each endpoint, over all methods. */
  callsPerSecond: number;
  /** The clock that the endpoints were made with, in milliseconds. */
  timer: () => number;
  sleep: Sleep;
}

/** So that a slow witness can be asked as often as a fast one. */
const LANES = 4;
/** Of many calls a single one that hangs must not hold up the others. */
const ATTEMPT_MILLISECONDS = 15_000;
/** A page of a thousand rows has under 1 MB, a transaction with all logs under 200 KB. */
const ANSWER_BYTES_MAX = 4_000_000;
/** More would use up the time that the others wait for this witness. */
const SILENCES_MAX = 3;
const SILENCE: ReadonlySet<RpcErrorKind> = new Set(["network", "timeout"]);

/** Each witness with a pace of its own for each endpoint. */
export function toPacedWitness({ label, endpoints, reason }: Witness, pacing: Pacing): PacedWitness {
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
        if (silences >= SILENCES_MAX) silence = `not asked after ${silences} failures in a row: ${error.message}`;
        throw error;
      }
    },
  };
}

/** Does something with each item, a few of them at once; begins them in their order. */
export async function inLanes<T>(items: readonly T[], work: (item: T, index: number) => Promise<void>): Promise<void> {
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
    call: ({ deadline, ...call }) =>
      until(deadline).call({
        ...call,
        // Who keeps no transactions refuses the method, whatever is asked of it.
        way: call.method,
        pace,
        attemptMilliseconds: ATTEMPT_MILLISECONDS,
        maxBytes: ANSWER_BYTES_MAX,
        isWorthRetrying,
      }),
  };
}

/** Of several nodes behind one address a late one has caught up a moment later. */
function isWorthRetrying(error: RpcError): boolean {
  return isPassing(error) || error.kind === "behind";
}
