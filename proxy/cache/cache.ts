import { LRUCache } from "lru-cache";
import type { Header } from "../answer.ts";
import { createTrouble, type Log } from "../log.ts";

/** A value that a source gave, as old as the source's last confirmation of it. */
export interface Cached<Value> extends Age {
  value: Value;
}

/** How far a value can be believed. */
export interface Age {
  /** Whether the source failed when it was asked last. */
  stale: boolean;
  /** Whole seconds; 0 while it is fresh, because caches subtract Age from max-age. */
  ageSeconds: number;
}

/** A value that never changes. */
export function always<Value>(value: Value): Cached<Value> {
  return { value, stale: false, ageSeconds: 0 };
}

/** For so long the source is not asked again. */
export const FRESH_MILLISECONDS = 15_000;
/** When the value is older, a request waits for the source, unless that failed last time. */
export const OVERDUE_MILLISECONDS = 60_000;
/** From a failure to the next try. */
export const RETRY_MILLISECONDS = 2_000;
/** An entry without its body: key, ETag, list node. */
export const ENTRY_BYTES = 2_048;

interface CacheOptions<Value, Context> {
  /** What the source is called in the log. */
  describe: (key: string) => string;
  /**
   * Asks the source; gets the cached value, to return it if nothing
   * changed. Must end: it has a deadline of its own.
   */
  load: (key: string, cached: Value | undefined, context: Context) => Promise<Value>;
  /** By number of entries or by bytes. */
  bound: { max: number } | { maxSize: number; toSize: (value: Value | undefined) => number };
  /** Milliseconds that never go back. */
  steadyNow: () => number;
  log: Log;
  /** Whether the process goes on between requests. Otherwise each waits for what it asks anew. */
  readsBehind?: boolean | undefined;
  /** Of a source that has nothing yet: asked again as soon as after a failure, and waited for. */
  isEmpty?: ((value: Value) => boolean) | undefined;
  freshMilliseconds?: number;
  overdueMilliseconds?: number;
  retryMilliseconds?: number;
}

interface Entry<Value> {
  /** undefined: the source has failed ever since. */
  value: Value | undefined;
  confirmedAt: number;
  /** Why the source failed last; null: it did not. */
  failure: { error: unknown } | null;
}

/**
 * What the proxy holds of a source that may be slow or down: fresh for a while, then
 * served while it is asked for anew (RFC 5861), never twice at a time. While
 * the source fails, the last value is served as stale, however old.
 */
export function createCache<Value, Context>(options: CacheOptions<Value, Context>) {
  const { describe, load, bound, steadyNow, log } = options;
  const { readsBehind = true, isEmpty = () => false } = options;
  const { freshMilliseconds: ttl = FRESH_MILLISECONDS } = options;
  const { overdueMilliseconds = OVERDUE_MILLISECONDS } = options;
  const { retryMilliseconds = RETRY_MILLISECONDS } = options;
  const tell = createTrouble({ log, steadyNow });

  const entries = new LRUCache<string, Entry<Value>, unknown>({
    ...("max" in bound
      ? bound
      : { maxSize: bound.maxSize, sizeCalculation: ({ value }) => bound.toSize(value) }),
    ttl,
    ttlResolution: 0,
    perf: { now: steadyNow },
    // An entry that was pushed out meanwhile is still the answer to who waits for it.
    ignoreFetchAbort: true,
    async fetchMethod(key, cached, { context, options: entryOptions }) {
      // The answer is as old as the question.
      const confirmedAt = steadyNow();
      try {
        const value = await load(key, cached?.value, context as Context);
        if (isEmpty(value)) entryOptions.ttl = retryMilliseconds;
        return { value, confirmedAt, failure: null };
      } catch (error) {
        const meanwhile =
          cached?.value === undefined ? "with nothing cached" : "serving what is cached";
        tell(`cannot read ${describe(key)}, ${meanwhile}`, error);
        entryOptions.ttl = retryMilliseconds;
        return { confirmedAt, ...cached, value: cached?.value, failure: { error } };
      }
    },
  });

  /** Whether a request waits for the source, although a value is cached. */
  const isWaitedFor = ({ value, failure, confirmedAt }: Entry<Value>) =>
    failure === null &&
    (steadyNow() - confirmedAt >= overdueMilliseconds || (value !== undefined && isEmpty(value)));

  return {
    /**
     * @param isForced asks the source, and waits for it, unless it has just failed
     * @throws what the source threw, while nothing is held
     */
    async get(key: string, context: Context, isForced = false): Promise<Cached<Value>> {
      const cached = entries.peek(key, { allowStale: true });
      const hasJustFailed = cached?.failure != null && entries.getRemainingTTL(key) > 0;
      const forceRefresh = isForced && !hasJustFailed;
      const mustWait = forceRefresh || !readsBehind;
      const allowStale = !mustWait && cached?.value !== undefined && !isWaitedFor(cached);
      const entry = await entries.forceFetch(key, { context, allowStale, forceRefresh });
      if (entry.value === undefined) throw entry.failure?.error;
      return {
        value: entry.value,
        stale: entry.failure !== null,
        ageSeconds: toAgeSeconds(steadyNow() - entry.confirmedAt),
      };
    },
    isCached: (key: string) => entries.peek(key, { allowStale: true })?.value !== undefined,
    getBytes: () => entries.calculatedSize,
  };
}

/** The age of what rests on two values. */
export function toJointAge(one: Age, other: Age): Age {
  return {
    stale: one.stale || other.stale,
    ageSeconds: Math.max(one.ageSeconds, other.ageSeconds),
  };
}

/** Returns the headers of an answer, or of an error, that rests on a value: none if it is fresh. */
export function toAgeHeaders({ stale, ageSeconds }: Age): Header[] {
  const headers: Header[] = stale ? [["x-data-stale", "true"]] : [];
  if (ageSeconds > 0) headers.push(["age", String(ageSeconds)]);
  return headers;
}

/** Returns the Age of an answer in whole seconds; 0 while it is fresh. */
export function toAgeSeconds(milliseconds: number): number {
  return milliseconds < FRESH_MILLISECONDS ? 0 : Math.floor(milliseconds / 1_000);
}
