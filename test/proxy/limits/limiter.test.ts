import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CLIENTS_MAX, createMemoryLimiter, type Allowance } from "../../../proxy/limits/limiter.ts";

const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

/** The limit as the API describes it, without a thought for memory or speed. Times in milliseconds. */
function createModel(perMinute: number): (client: string, time: number) => Allowance {
  const windows: Record<string, { first: number; count: number }> = {};
  return (client, time) => {
    const running = windows[client];
    const isOver = running === undefined || time - running.first >= MINUTE;
    const { first, count } = (windows[client] = isOver
      ? { first: time, count: 1 }
      : { first: running.first, count: running.count + 1 });
    return {
      allowed: count <= perMinute,
      limit: perMinute,
      remaining: Math.max(0, perMinute - count),
      resetSeconds: Math.max(1, Math.ceil((first + MINUTE - time) / 1000)),
    };
  };
}

describe("the limiter in memory", () => {
  it("counts down, refuses the one too many, and begins anew when the window ends", async () => {
    const limiter = createMemoryLimiter(2);
    expect(await limiter.take("one")).toEqual({ allowed: true, limit: 2, remaining: 1, resetSeconds: 60 });
    vi.advanceTimersByTime(30_500);
    expect(await limiter.take("one")).toEqual({ allowed: true, limit: 2, remaining: 0, resetSeconds: 30 });
    expect(await limiter.take("one")).toEqual({ allowed: false, limit: 2, remaining: 0, resetSeconds: 30 });
    expect(await limiter.take("other")).toMatchObject({ allowed: true, remaining: 1 });
    vi.advanceTimersByTime(29_499);
    expect(await limiter.take("one")).toMatchObject({ allowed: false, resetSeconds: 1 });
    vi.advanceTimersByTime(1);
    expect(await limiter.take("one")).toEqual({ allowed: true, limit: 2, remaining: 1, resetSeconds: 60 });
  });

  it("answers as a plain count of each client's requests would, whoever comes when", async () => {
    // Plain numbers, which are made fast: mostly requests close together, and often one at the very edge of a window.
    const edges = [0, 1, MINUTE - 1, MINUTE, MINUTE + 1];
    const waits = fc.array(fc.nat({ max: 1_000 }), { maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(waits, fc.integer({ min: 1, max: 60 }), async (waits, perMinute) => {
        const limiter = createMemoryLimiter(perMinute, 3);
        const model = createModel(perMinute);
        for (const wait of waits) {
          vi.advanceTimersByTime(edges[wait % 50] ?? wait);
          const client = "abc"[wait % 3]!;
          expect(await limiter.take(client)).toEqual(model(client, Date.now()));
        }
      }),
      { numRuns: 50 },
    );
  });

  it("ends a window a minute after it began, also when the clock is set back", async () => {
    const limiter = createMemoryLimiter(1);
    await limiter.take("one");
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(await limiter.take("one")).toMatchObject({ allowed: false, resetSeconds: 60 });
    vi.advanceTimersByTime(MINUTE);
    expect(await limiter.take("one")).toMatchObject({ allowed: true });
  });

  it("forgets the client whose window began longest ago when there are too many, however often it came since", async () => {
    const limiter = createMemoryLimiter(3, 2);
    for (const client of ["first", "second", "first", "third"]) await limiter.take(client);
    const remaining: number[] = [];
    for (const client of ["second", "third", "first"]) remaining.push((await limiter.take(client)).remaining);
    expect(remaining).toEqual([1, 1, 2]);
  });

  it("takes a window begun anew for a young one", async () => {
    const limiter = createMemoryLimiter(1, 2);
    for (const client of ["first", "second"]) await limiter.take(client);
    vi.advanceTimersByTime(MINUTE);
    for (const client of ["first", "third"]) await limiter.take(client);
    expect((await limiter.take("first")).allowed).toBe(false);
  });

  it("remembers so many clients and no more", async () => {
    const limiter = createMemoryLimiter(1, 1_000);
    for (let client = 0; client < 2_500; client++) await limiter.take(String(client));
    expect(vi.getTimerCount()).toBe(1_000);
    expect((await limiter.take("1500")).allowed).toBe(false);
    expect((await limiter.take("1499")).allowed).toBe(true);
    expect(CLIENTS_MAX).toBe(100_000);
  });
});
