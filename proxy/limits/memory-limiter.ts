import { LRUCache } from "lru-cache";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { RATE_WINDOW_SECONDS } from "../../generator/contract/response-headers.ts";

interface Window {
  count: number;
  endsAt: number;
}

/** Clients remembered: 20 MB at most. */
export const CLIENTS_MAX = 100_000;

/**
 * Like its base, but bounded: whoever has an IPv6 network has millions of
 * addresses. Of too many windows, the one that began first is forgotten.
 */
export class MemoryLimiter extends RateLimiterMemory {
  readonly #windows: LRUCache<string, Window>;
  readonly #now: () => number;

  constructor(perMinute: number, now: () => number, clientsMax = CLIENTS_MAX) {
    super({ points: perMinute, duration: RATE_WINDOW_SECONDS });
    this.#windows = new LRUCache({ max: clientsMax });
    this.#now = now;
  }

  override consume(client: string): Promise<RateLimiterRes> {
    const time = this.#now();
    // `get` would order the windows by their last request.
    let window = this.#windows.peek(client);
    if (window === undefined || window.endsAt <= time) {
      window = { count: 0, endsAt: time + RATE_WINDOW_SECONDS * 1_000 };
      // A copy: an address cut out of a header would keep the whole header in memory.
      this.#windows.set(Buffer.from(client).toString(), window);
    }
    window.count += 1;
    const { count, endsAt } = window;
    const remaining = Math.max(0, this.points - count);
    const result = new RateLimiterRes(remaining, endsAt - time, count, count === 1);
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as the base does
    return count > this.points ? Promise.reject(result) : Promise.resolve(result);
  }
}
