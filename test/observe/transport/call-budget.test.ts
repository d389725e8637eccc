import { describe, expect, it } from "vitest";
import { createCallBudget } from "../../../generator/observe/transport/call-budget.ts";
import { RpcError } from "../../../generator/observe/transport/rpc-error.ts";
import { createClock } from "../fixtures.ts";

function open() {
  const clock = createClock(0);
  const budget = createCallBudget(clock);
  const takeMany = (count: number, method: string, deadline = 60_000) =>
    Promise.all(Array.from({ length: count }, () => budget.take({ method, deadline })));
  return { clock, takeMany };
}

describe("the budget of an endpoint", () => {
  it("is 40 calls of a method in 10 seconds", async () => {
    const { clock, takeMany } = open();
    await takeMany(40, "getSlot");
    await takeMany(1, "getHealth");
    expect(clock.slept).toEqual([]);
    await takeMany(1, "getSlot");
    expect(clock.slept).toEqual([10_000]);
  });

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
        message: "not asked: the budget of calls is spent for 9 s, longer than the time left",
      }),
    );
    await expect(late).rejects.toMatchObject({ kind: "resting" });
    expect(clock.slept).toEqual([]);
    await takeMany(1, "getSlot", 10_001);
    expect(clock.slept).toEqual([9_000]);
  });
});
