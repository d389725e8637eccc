import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RateLimiterRes } from "rate-limiter-flexible";
import { CLIENTS_MAX, MemoryLimiter } from "../../../proxy/limits/memory-limiter.ts";

const MINUTE = 60_000;

interface Allowance {
  allowed: boolean;
  remaining: number;
  /** Milliseconds. */
  left: number;
}

/** The limit as the API describes it. Times in milliseconds. */
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
      remaining: Math.max(0, perMinute - count),
      left: first + MINUTE - time,
    };
  };
}

/** A limiter, and its clock in a test's hands. */
function open(perMinute: number, clientsMax?: number) {
  const clock = { now: 1_000_000 };
  const limiter = new MemoryLimiter(perMinute, () => clock.now, clientsMax);
  async function take(client: string): Promise<Allowance> {
    let allowed = true;
    const result = await limiter.consume(client).catch((refused: unknown) => {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      allowed = false;
      return refused;
    });
    return { allowed, remaining: result.remainingPoints, left: result.msBeforeNext };
  }
  return { clock, take };
}

describe("the limiter in memory", () => {
  it("counts down, refuses the one too many, and begins anew when the window ends", async () => {
    const { clock, take } = open(2);
    expect(await take("one")).toEqual({ allowed: true, remaining: 1, left: 60_000 });
    clock.now += 30_500;
    expect(await take("one")).toEqual({ allowed: true, remaining: 0, left: 29_500 });
    expect(await take("one")).toEqual({ allowed: false, remaining: 0, left: 29_500 });
    expect(await take("other")).toMatchObject({ allowed: true, remaining: 1 });
    clock.now += 29_499;
    expect(await take("one")).toMatchObject({ allowed: false, left: 1 });
    clock.now += 1;
    expect(await take("one")).toEqual({ allowed: true, remaining: 1, left: 60_000 });
  });

  it("answers as a plain count of each client's requests would, whoever comes when", async () => {
    // Mostly requests close together, often one at the very edge of a window.
    const edges = [0, 1, MINUTE - 1, MINUTE, MINUTE + 1];
    const waits = fc.array(fc.nat({ max: 1_000 }), { maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(waits, fc.integer({ min: 1, max: 60 }), async (waits, perMinute) => {
        const { clock, take } = open(perMinute, 3);
        const model = createModel(perMinute);
        for (const wait of waits) {
          clock.now += edges[wait % 50] ?? wait;
          const client = "abc"[wait % 3]!;
          expect(await take(client)).toEqual(model(client, clock.now));
        }
      }),
      { numRuns: 50 },
    );
  });

  it("forgets the client whose window began longest ago when there are too many, however often it came since", async () => {
    const { take } = open(3, 2);
    for (const client of ["first", "second", "first", "third"]) await take(client);
    expect(await Promise.all(["second", "third", "first"].map(take))).toMatchObject(
      [1, 1, 2].map((remaining) => ({ remaining })),
    );
  });

  it("takes a window begun anew for a young one", async () => {
    const { clock, take } = open(1, 2);
    for (const client of ["first", "second"]) await take(client);
    clock.now += MINUTE;
    for (const client of ["first", "third"]) await take(client);
    expect(await take("first")).toMatchObject({ allowed: false });
  });

  it("remembers so many clients and no more", async () => {
    const { take } = open(1, 1_000);
    for (let client = 0; client < 2_500; client++) await take(String(client));
    expect(await take("1500")).toMatchObject({ allowed: false });
    expect(await take("1499")).toMatchObject({ allowed: true });
    expect(CLIENTS_MAX).toBe(100_000);
  });

  it("does not keep the header that an address was cut from", async () => {
    const { take } = open(1);
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc") as () => void;
    const measure = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = measure();
    for (let client = 0; client < 2_000; client++) {
      const header = Buffer.from(`${"x".repeat(15_000)}, 203.100.100.${client}`).toString();
      await take(header.slice(header.lastIndexOf(" ") + 1));
    }
    const kept = measure() - before;
    expect(await take("203.100.100.1999")).toMatchObject({ allowed: false });
    expect(kept).toBeLessThan(15_000_000);
  });
});
