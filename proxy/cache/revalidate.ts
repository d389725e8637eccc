import type { Log } from "../log.ts";
import type { Cached } from "../answer.ts";

export const FRESH_MILLISECONDS = 15_000;
/**
 * When the value is older, a request waits
 * PATIENCE_MILLISECONDS for a new one, unless the source fails.
 */
const OVERDUE_MILLISECONDS = 60_000;
export const PATIENCE_MILLISECONDS = 1_000;
/** Longest time between two tries while the source fails. */
const RETRY_MAX_MILLISECONDS = 15_000;

interface RevalidatedOptions<Value> {
  /**
   * Gets the value held, to return it if nothing changed. Must end: it has a deadline of its own.
   */
  load: (held: Value | undefined) => Promise<Value>;
  now: () => number;
  trouble: Trouble;
  freshMilliseconds?: number;
  overdueMilliseconds?: number;
  toRetryDelay?: (failuresInARow: number) => number;
}

export type Revalidated<Value> = () => Promise<Cached<Value>>;

/**
 * Holds one value and reads it again on demand, never twice at a time (RFC
 * 5861). While the source fails or hangs, it gives the last value as stale.
 * A fresh value has age 0, because caches subtract Age from max-age.
 */
export function createRevalidated<Value>(options: RevalidatedOptions<Value>): Revalidated<Value> {
  const { load, now, trouble, freshMilliseconds = FRESH_MILLISECONDS } = options;
  const { overdueMilliseconds = OVERDUE_MILLISECONDS, toRetryDelay = drawRetryDelay } = options;
  let held: { value: Value; confirmedAt: number } | undefined;
  let failure: { error: unknown; inARow: number } | undefined;
  let triedAt = -Infinity;
  let dueAfter = 0;
  let running: Promise<void> | undefined;
  /** Shared by everybody who waits for the running reading. */
  let patience: Promise<unknown> | undefined;

  async function refresh(): Promise<void> {
    const startedAt = (triedAt = now());
    try {
      // The answer is as old as the question.
      held = { value: await load(held?.value), confirmedAt: startedAt };
      failure = undefined;
      dueAfter = freshMilliseconds;
      trouble.succeeded();
    } catch (error) {
      failure = { error, inARow: (failure?.inARow ?? 0) + 1 };
      triedAt = now();
      dueAfter = toRetryDelay(failure.inARow);
      trouble.failed(error);
    }
  }

  const isOverdue = (time: number) =>
    held !== undefined && time - held.confirmedAt >= overdueMilliseconds;

  function current(): Cached<Value> {
    if (held === undefined) throw failure?.error;
    const time = now();
    const stale = failure !== undefined || isOverdue(time);
    const freshUntil = stale || running !== undefined ? 0 : triedAt + dueAfter;
    return {
      value: held.value,
      stale,
      ageSeconds: toAgeSeconds(time - held.confirmedAt),
      freshUntil,
    };
  }

  return async () => {
    const time = now();
    // `time < triedAt`: the clock was set back.
    const isDue = time - triedAt >= dueAfter || time < triedAt;
    if (running === undefined && isDue)
      running = refresh().finally(() => (running = patience = undefined));
    if (held === undefined) await running;
    else if (running !== undefined && failure === undefined && isOverdue(time))
      await (patience ??= withDeadline(running, PATIENCE_MILLISECONDS).catch(() => undefined));
    return current();
  };
}

export function toAgeSeconds(milliseconds: number): number {
  return milliseconds < FRESH_MILLISECONDS ? 0 : Math.floor(milliseconds / 1_000);
}

/** Random, so that not all objects of all processes ask at once when the source is back. */
export function drawRetryDelay(failuresInARow: number, random = Math.random): number {
  return Math.min(RETRY_MAX_MILLISECONDS, 1_000 * 2 ** failuresInARow) * (1 - random() / 2);
}

/** Rejects after the deadline; the promise runs on. */
export async function withDeadline<Value>(
  promise: Promise<Value>,
  milliseconds: number,
): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`no answer within ${milliseconds} ms`)),
    milliseconds,
  );
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A source counts as well again after this time without a failure: one that flaps is one trouble.
 */
const QUIET_MILLISECONDS = 60_000;
const REMINDER_MILLISECONDS = 600_000;

export type Trouble = ReturnType<typeof createTrouble>;

/** Logs when a source begins to fail and when it is well again: an hour's outage is a few lines. */
export function createTrouble(subject: string, isHeld: () => boolean, now: () => number, log: Log) {
  let trouble: { since: number; lastAt: number; toldAt: number; failures: number } | undefined;
  return {
    failed(error: unknown): void {
      const time = now();
      trouble ??= { since: time, lastAt: time, toldAt: -Infinity, failures: 0 };
      trouble.failures += 1;
      trouble.lastAt = time;
      if (time - trouble.toldAt < REMINDER_MILLISECONDS) return;
      trouble.toldAt = time;
      const meanwhile = isHeld() ? "keeping what is held" : "with nothing held to answer from";
      const fields = { failures: trouble.failures };
      log({ level: "warn", message: `cannot read ${subject}, ${meanwhile}`, error, fields });
    },
    succeeded(): void {
      if (trouble === undefined || now() - trouble.lastAt < QUIET_MILLISECONDS) return;
      const seconds = Math.round((trouble.lastAt - trouble.since) / 1_000);
      log({
        level: "info",
        message: `can read ${subject} again: ${trouble.failures} failures in ${seconds} s`,
      });
      trouble = undefined;
    },
  };
}
