import { isPassing, RpcError } from "./rpc-error.ts";

/** Waits; injected so that tests need no real time. */
export type Sleep = (milliseconds: number) => Promise<void>;

export interface RetryOptions {
  /** Most times the task is begun. */
  attempts: number;
  /** Reading of `now`, in milliseconds, after which no wait may end. */
  deadline: number;
  now: () => number;
  sleep: Sleep;
  /** From 0 up to, but not, 1: spreads the retries of many clients. */
  random: () => number;
}

const FIRST_WAIT_MILLISECONDS = 500;
const LONGEST_WAIT_MILLISECONDS = 8_000;
/** A source that asks for more is not obeyed to the second: the deadline gives up on it first. */
const RETRY_AFTER_MAX_MILLISECONDS = 30_000;

/**
 * Does the task again while its failure is one that passes: after the time the source asked for, else after a wait that
 * doubles (0.5, 1, 2, 4, 8 s at most) with jitter over its upper half.
 * @throws whatever the last attempt threw
 */
export async function retry<T>(options: RetryOptions, task: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof RpcError) || !isPassing(error) || attempt >= options.attempts) throw error;
      const wait = error.retryAfterMilliseconds ?? toBackOff(attempt, options.random);
      if (options.now() + wait >= options.deadline) throw error;
      await options.sleep(wait);
    }
  }
}

/**
 * Milliseconds that a Retry-After header asks for (RFC 9110 §10.2.3: seconds or an HTTP date), at most 30 s; null when
 * there is none or it cannot be read.
 * @param date the answer's own Date header, which a date is counted from: our clock may differ from the server's
 */
export function parseRetryAfter(header: string | null, date: string | null): number | null {
  if (header === null) return null;
  const text = header.trim();
  const isSeconds = /^\d+(?:\.\d+)?$/.test(text);
  const milliseconds = isSeconds ? Number(text) * 1000 : Date.parse(text) - Date.parse(date ?? "");
  if (Number.isNaN(milliseconds)) return null;
  return Math.min(Math.max(milliseconds, 0), RETRY_AFTER_MAX_MILLISECONDS);
}

function toBackOff(attempt: number, random: () => number): number {
  const longest = Math.min(FIRST_WAIT_MILLISECONDS * 2 ** (attempt - 1), LONGEST_WAIT_MILLISECONDS);
  return longest / 2 + (longest / 2) * random();
}
