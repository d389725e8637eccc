import { describe, expect, it } from "vitest";
import { createThrottle, createPace } from "../../generator/rpc/throttle.ts";
import { RpcError } from "../../generator/rpc/error.ts";
import { createClock } from "../observe/fixtures.ts";

function open() {
  const clock = createClock(0);
  const budget = createThrottle(clock);
  const takeMany = (count: number, method: string, deadline = 60_000) =>
    Promise.all(Array.from({ length: count }, () => budget.take({ method, deadline })));
  return { clock, takeMany };
}

describe("the budget of an endpoint", () => {
  it("is 100 calls in all in 10 seconds", async () => {
    const { clock, takeMany } = open();
    await takeMany(40, "getSlot");
    clock.advance(2_000);
    await takeMany(40, "getHealth");
    await takeMany(20, "getBalance");
    expect(clock.slept).toEqual([]);
    await takeMany(1, "getBlock");
    expect(clock.slept).toEqual([8_000]);
  });

  it("lets no 10 seconds have more than 40 calls of a method, however many wait", async () => {
    const { clock, takeMany } = open();
    const times: number[] = [];
    for (let call = 0; call < 200; call++) {
      await takeMany(1, "getSlot");
      times.push(clock.now());
      clock.advance(37);
    }
    const crowded = times.filter((time, index) => (times[index + 40] ?? Infinity) - time < 10_000);
    expect(crowded).toEqual([]);
    expect(times.at(-1)).toBe(4 * 10_000 + 39 * 37);
  });

  it("that is spent for longer than the deadline allows fails at once", async () => {
    const { clock, takeMany } = open();
    await takeMany(40, "getSlot");
    clock.advance(1_000);
    const late = takeMany(1, "getSlot", 10_000);
    await expect(late).rejects.toThrow(
      new RpcError({
        kind: "resting",
        message: "not asked: the call budget is used up for another 9 s, longer than the time left",
      }),
    );
    await expect(late).rejects.toMatchObject({ kind: "resting" });
    expect(clock.slept).toEqual([]);
    await takeMany(1, "getSlot", 10_001);
    expect(clock.slept).toEqual([9_000]);
  });
});

describe("a pace", () => {
  const take = (pace: ReturnType<typeof createPace>, deadline = 60_000) =>
    pace.take({ method: "getSlot", deadline });

  it("lets one call follow the other evenly", async () => {
    const clock = createClock(0);
    const pace = createPace({ ...clock, callsPerSecond: 4 });
    const times: number[] = [];
    for (let call = 0; call < 5; call++) {
      await take(pace);
      times.push(clock.now());
    }
    expect(times).toEqual([0, 250, 500, 750, 1_000]);
    clock.advance(600);
    await take(pace);
    expect(clock.now()).toBe(1_600);
  });

  it("gives those that come at once a turn each", async () => {
    const waits: number[] = [];
    const sleep = (milliseconds: number) => Promise.resolve(void waits.push(milliseconds));
    const pace = createPace({ now: () => 0, sleep, callsPerSecond: 2 });
    await Promise.all([take(pace), take(pace), take(pace)]);
    expect(waits).toEqual([500, 1_000]);
  });

  it("refuses at once whose turn comes too late, and gives nobody's turn away for it", async () => {
    const clock = createClock(0);
    const pace = createPace({ ...clock, callsPerSecond: 1 });
    await take(pace);
    await expect(take(pace, 1_000)).rejects.toThrow(
      "not asked: the call budget is used up for another 1 s",
    );
    await expect(take(pace, 1_000)).rejects.toBeInstanceOf(RpcError);
    await take(pace);
    expect(clock.slept).toEqual([1_000]);
  });
});
