import { describe, expect, it } from "vitest";
import type { Clock } from "../../../generator/service/context.ts";
import { createStoryClock } from "../../../infra/demo/story.ts";

/** A world in which sleeping takes no time to test. */
function createWorld(start: number): Clock & { pass: (milliseconds: number) => void; naps: number[] } {
  let time = start;
  const naps: number[] = [];
  return {
    naps,
    now: () => time,
    timer: () => time - start,
    pass: (milliseconds) => void (time += milliseconds),
    sleepUntil(until, signal) {
      signal?.throwIfAborted();
      naps.push(until - time);
      time = Math.max(time, until);
      return Promise.resolve();
    },
  };
}

const NOW = Date.UTC(2026, 10, 20);
const DAY = 86_400_000;

describe("a story's clock", () => {
  it("begins where the story does, and goes as the world's does", () => {
    const world = createWorld(NOW);
    const clock = createStoryClock({ world, startsAt: NOW - DAY });
    world.pass(1500);
    expect(clock.now()).toBe(NOW - DAY + 1500);
  });

  it("never tells a time the world has not reached", () => {
    const world = createWorld(NOW);
    const clock = createStoryClock({ world, startsAt: NOW + 5000 });
    expect(clock.now()).toBe(NOW);
    clock.play(60, NOW - 1000);
    world.pass(10_000);
    expect(clock.now()).toBe(NOW + 10_000);
  });

  it("tells whole milliseconds at any speed", () => {
    const world = createWorld(NOW);
    const clock = createStoryClock({ world, startsAt: NOW - DAY });
    clock.play(0.3, NOW - DAY);
    world.pass(5);
    expect(clock.now()).toBe(NOW - DAY + 1);
  });
});

describe("a story in fast forward", () => {
  it("is at the end of a sleep at once", async () => {
    const world = createWorld(NOW);
    const clock = createStoryClock({ world, startsAt: NOW - DAY });
    clock.fastForward();
    await clock.sleepUntil(NOW - DAY + 60_000);
    expect(clock.now()).toBe(NOW - DAY + 60_000);
    expect(world.naps).toEqual([]);
  });

  it("does not go back for a time that has passed", async () => {
    const world = createWorld(NOW);
    const clock = createStoryClock({ world, startsAt: NOW - DAY });
    clock.fastForward();
    await clock.sleepUntil(NOW - 2 * DAY);
    expect(clock.now()).toBe(NOW - DAY);
  });

  it("waits for the world where it has caught up with it", async () => {
    const world = createWorld(NOW);
    const clock = createStoryClock({ world, startsAt: NOW - DAY });
    clock.fastForward();
    await clock.sleepUntil(NOW + 7000);
    expect(clock.now()).toBe(NOW + 7000);
    expect(world.naps.reduce((sum, nap) => sum + nap, 0)).toBe(7000);
  });

  it("counts what it jumps over as passed for deadlines and budgets", async () => {
    const world = createWorld(NOW);
    const clock = createStoryClock({ world, startsAt: NOW - DAY });
    clock.fastForward();
    await clock.sleepUntil(NOW - DAY + 60_000);
    world.pass(250);
    expect(clock.timer()).toBe(60_250);
  });
});

describe("a story that plays", () => {
  it("passes so many times faster than the world", async () => {
    const world = createWorld(NOW);
    const clock = createStoryClock({ world, startsAt: NOW - DAY });
    clock.play(60, NOW - DAY);
    await clock.sleepUntil(NOW - DAY + 120_000);
    expect(world.naps).toEqual([2000]);
    expect(clock.now()).toBe(NOW - DAY + 120_000);
  });

  it("gives calls the world's time: their deadlines come no sooner", () => {
    const world = createWorld(NOW);
    const clock = createStoryClock({ world, startsAt: NOW - DAY });
    clock.play(60, NOW - DAY);
    world.pass(1000);
    expect(clock.timer()).toBe(1000);
  });

  it("goes on from where it was when told to begin earlier", () => {
    const clock = createStoryClock({ world: createWorld(NOW), startsAt: NOW - DAY });
    clock.play(60, NOW - 2 * DAY);
    expect(clock.now()).toBe(NOW - DAY);
  });

  it("wakes a sleeper when stopped, with the reason", async () => {
    const clock = createStoryClock({ world: createWorld(NOW), startsAt: NOW - DAY });
    const stopping = new AbortController();
    stopping.abort(new Error("stopped"));
    await expect(clock.sleepUntil(NOW, stopping.signal)).rejects.toThrow("stopped");
  });
});
