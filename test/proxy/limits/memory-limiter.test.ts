import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMemoryLimiter } from "../../../proxy/limits/memory-limiter.ts";
import type { Allowance } from "../../../proxy/limits/limiter.ts";

const MINUTE = 60_000;

function open({ perMinute = 60, clientsMax }: { perMinute?: number; clientsMax?: number } = {}) {
  const world = { now: 1_000_000 };
  const now = () => world.now;
  return { world, limiter: createMemoryLimiter({ perMinute, now, ...(clientsMax !== undefined && { clientsMax }) }) };
}

describe("a window", () => {
  it("never lasts longer than a minute, whatever the clock's fractions add up to", () => {
    // 12,345.678 + 60,000 - 12,345.678 is more than 60,000 as numbers of 64 bits go.
    const times = Array.from({ length: 10_000 }, (_, at) => 5_000 + at * 1.2345678);
    expect(times.some((time) => time + MINUTE - time > MINUTE)).toBe(true);
    for (const time of times) {
      const limiter = createMemoryLimiter({ perMinute: 1, now: () => time, clientsMax: 1 });
      expect(limiter.take("a").resetSeconds).toBe(60);
    }
  });
});

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
  it("counts down, refuses the one too many, and begins anew when the window ends", () => {
    const { world, limiter } = open({ perMinute: 2 });
    expect(limiter.take("one")).toEqual({ allowed: true, limit: 2, remaining: 1, resetSeconds: 60 });
    world.now += 30_500;
    expect(limiter.take("one")).toEqual({ allowed: true, limit: 2, remaining: 0, resetSeconds: 30 });
    expect(limiter.take("one")).toEqual({ allowed: false, limit: 2, remaining: 0, resetSeconds: 30 });
    expect(limiter.take("other")).toMatchObject({ allowed: true, remaining: 1 });
    world.now += 29_499;
    expect(limiter.take("one")).toMatchObject({ allowed: false, resetSeconds: 1 });
    world.now += 1;
    expect(limiter.take("one")).toEqual({ allowed: true, limit: 2, remaining: 1, resetSeconds: 60 });
  });

  it("answers as a plain count of each client's requests would, whoever comes when", () => {
    // Plain numbers, which are made fast: mostly requests close together, and often one at the very edge of a window.
    const edges = [0, 1, MINUTE - 1, MINUTE, MINUTE + 1];
    const waits = fc.array(fc.nat({ max: 1_000 }), { maxLength: 300 });
    fc.assert(
      fc.property(waits, fc.integer({ min: 1, max: 60 }), (waits, perMinute) => {
        const { world, limiter } = open({ perMinute, clientsMax: 3 });
        const model = createModel(perMinute);
        const answers = waits.map((wait) => {
          world.now += edges[wait % 50] ?? wait;
          const client = "abc"[wait % 3]!;
          return [JSON.stringify(limiter.take(client)), JSON.stringify(model(client, world.now))] as const;
        });
        expect(answers.find(([given, expected]) => given !== expected)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it("goes on counting when the clock is set back, and ends the window a minute after it began", () => {
    const { world, limiter } = open({ perMinute: 1 });
    limiter.take("one");
    world.now += 20_000;
    expect(limiter.take("one")).toMatchObject({ allowed: false, resetSeconds: 40 });
    world.now -= 3_600_000;
    expect(limiter.take("one")).toMatchObject({ allowed: false, resetSeconds: 40 });
    world.now += 39_999;
    expect(limiter.take("one")).toMatchObject({ allowed: false, resetSeconds: 1 });
    world.now += 1;
    expect(limiter.take("one")).toMatchObject({ allowed: true });
  });

  it("forgets the client whose window began longest ago when there are too many, however often it came since", () => {
    const { world, limiter } = open({ perMinute: 1, clientsMax: 2 });
    for (const client of ["first", "second", "first", "third"]) {
      limiter.take(client);
      world.now++;
    }
    expect(limiter.clients).toBe(2);
    expect(["second", "third", "first"].map((client) => limiter.take(client).allowed)).toEqual([false, false, true]);
  });

  it("takes a window begun anew for a young one", () => {
    const { world, limiter } = open({ perMinute: 1, clientsMax: 2 });
    for (const client of ["first", "second"]) limiter.take(client);
    world.now += MINUTE;
    for (const client of ["first", "third"]) limiter.take(client);
    expect(limiter.take("first").allowed).toBe(false);
  });

  it("remembers 100,000 clients and no more", () => {
    const { limiter } = open({ perMinute: 1 });
    for (let client = 0; client < 250_000; client++) limiter.take(String(client));
    expect(limiter.clients).toBe(100_000);
    expect(limiter.take("150000").allowed).toBe(false);
    expect(limiter.take("149999").allowed).toBe(true);
  });
});
