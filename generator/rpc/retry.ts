import { RpcError, isPassing, toReworded } from "./error.ts";
import type { RpcReader } from "./reader.ts";
import type { Sleep } from "./throttle.ts";

interface RetryOptions {
  attempts: number;
  /** By `now`; no wait ends later. */
  deadline: number;
  now: () => number;
  sleep: Sleep;
  random: () => number;
  /** Whether to try again; by default after failures that pass by themselves. */
  isWorthRetrying?: (error: RpcError) => boolean;
}

const WAIT_MILLISECONDS = { first: 500, most: 8_000 };

/**
 * Repeats a task until it succeeds, fails for good, or attempts or time run out. Before each repeat
 * it waits as long as the source asks, and at least 0.5 to 8 s, doubling, with jitter over the
 * upper half.
 * @throws the error of the last attempt
 */
export async function retry<T>(options: RetryOptions, task: () => Promise<T>): Promise<T> {
  const { attempts, deadline, now, sleep, random, isWorthRetrying = isPassing } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof RpcError) || !isWorthRetrying(error) || attempt >= attempts)
        throw error;
      const wait = Math.max(
        error.retryAfterMilliseconds ?? 0,
        toBackOff(attempt, random, WAIT_MILLISECONDS),
      );
      if (now() + wait >= deadline) throw error;
      await sleep(wait);
    }
  }
}

/**
 * Returns a wait in milliseconds that doubles from `first` up to `most`, with jitter over its upper
 * half.
 * @param attempt from 1
 * @param random returns numbers from 0 to below 1
 */
export function toBackOff(
  attempt: number,
  random: () => number,
  { first, most }: { first: number; most: number },
): number {
  const longest = Math.min(first * 2 ** (attempt - 1), most);
  return longest / 2 + (longest / 2) * random();
}

/**
 * Tries candidates in order and returns the first result.
 * @param task also receives how many candidates are left, this one included
 * @throws {RpcError} of the last candidate's kind, with every reason; any other error at once
 */
export async function withFailover<C, T>(
  candidates: C[],
  task: (candidate: C, left: number) => Promise<T>,
): Promise<T> {
  const failures: RpcError[] = [];
  for (const [position, candidate] of candidates.entries()) {
    try {
      return await task(candidate, candidates.length - position);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      failures.push(error);
    }
  }
  const last = failures.at(-1) ?? new RpcError({ kind: "network", message: "no endpoint to ask" });
  throw toReworded(last, failures.map(({ message }) => message).join("; ") || last.message);
}

/**
 * Tries readers in order. Each gets an equal part of the time left, so that one that does not
 * answer leaves time for the others.
 * @param mostMilliseconds bounds each part but the last
 * @throws {RpcError} as {@link withFailover}
 */
export function withReaders<T>(
  readers: RpcReader[],
  task: (reader: RpcReader) => Promise<T>,
  mostMilliseconds = Infinity,
): Promise<T> {
  return withFailover(readers, (reader, left) =>
    task(left === 1 ? reader : reader.within(1 / left, mostMilliseconds)),
  );
}
