import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFallbackLimiter, DEADLINE_MILLISECONDS, RETRY_MILLISECONDS } from "../../../proxy/limits/fallback.ts";
import { toAllowance, type Allowance } from "../../../proxy/limits/limiter.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate"] }));
afterEach(() => void vi.useRealTimers());

const SHARED = toAllowance({ limit: 60, count: 10, left: 30_000 });
const ALONE = toAllowance({ limit: 60, count: 1, left: 60_000 });

function open(ask: (client: string) => Promise<Allowance>) {
  const world = { now: 1_000_000, ask: vi.fn(ask), log: [] as unknown[] };
  const limiter = createFallbackLimiter({
    ask: (client) => world.ask(client),
    fallback: { take: () => ALONE },
    now: () => world.now,
    onLost: (reason) => world.log.push(reason),
    onBack: () => world.log.push("back"),
  });
  return { world, limiter };
}

const DOWN = new Error("down");
const answers = () => Promise.resolve(SHARED);
const fails = () => Promise.reject(DOWN);
const isSilent = () => new Promise<Allowance>(() => undefined);

describe("a shared limit that can be lost", () => {
  it("counts with the others while they answer", async () => {
    const { world, limiter } = open(answers);
    expect(await limiter.take("one")).toEqual(SHARED);
    expect(world.ask).toHaveBeenCalledWith("one");
    expect(world.log).toEqual([]);
  });

  it("counts alone from the first failure on, says so once, and makes no request wait any more", async () => {
    const { world, limiter } = open(fails);
    expect(await Promise.all([limiter.take("one"), limiter.take("two")])).toEqual([ALONE, ALONE]);
    for (let request = 0; request < 100; request++) expect(limiter.take("one")).toEqual(ALONE);
    expect(world.ask).toHaveBeenCalledTimes(2);
    expect(world.log).toEqual([DOWN]);
  });

  it("does not wait longer than its deadline for an answer", async () => {
    const { world, limiter } = open(isSilent);
    const allowance = limiter.take("one");
    await vi.advanceTimersByTimeAsync(DEADLINE_MILLISECONDS - 1);
    expect(world.log).toEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    expect(await allowance).toEqual(ALONE);
    expect(world.log).toEqual([new Error("no answer within 100 ms")]);
  });

  it("takes an answer that lay there when a busy process came to look at it", async () => {
    let answer: (allowance: Allowance) => void = () => undefined;
    const { world, limiter } = open(() => new Promise((resolve) => (answer = resolve)));
    const allowance = limiter.take("one");
    vi.advanceTimersToNextTimer(); // The deadline's timer is due, the sockets are not read yet.
    answer(SHARED);
    await vi.runAllTimersAsync();
    expect(await allowance).toEqual(SHARED);
    expect(world.log).toEqual([]);
  });

  it("tries again each second with one request, which does not wait, and comes back by itself", async () => {
    const { world, limiter } = open(fails);
    await limiter.take("one");
    expect(limiter.isShared).toBe(false);
    world.now += RETRY_MILLISECONDS - 1;
    void limiter.take("one");
    expect(world.ask).toHaveBeenCalledTimes(1);
    world.now += 1;
    expect([limiter.take("two"), limiter.take("three")]).toEqual([ALONE, ALONE]);
    expect(world.ask).toHaveBeenCalledTimes(2);
    await vi.runAllTimersAsync();
    world.ask.mockImplementation(answers);
    expect(limiter.take("two")).toEqual(ALONE);
    world.now += RETRY_MILLISECONDS;
    expect(limiter.take("two")).toEqual(ALONE);
    await vi.runAllTimersAsync();
    expect(await limiter.take("two")).toEqual(SHARED);
    expect(world.log).toEqual([DOWN, "back"]);
    expect(limiter.isShared).toBe(true);
  });

  it("tries again although the clock was set back", async () => {
    const { world, limiter } = open(fails);
    await limiter.take("one");
    world.now -= 3_600_000;
    void limiter.take("one");
    expect(world.ask).toHaveBeenCalledTimes(2);
  });
});
