import { expect, it } from "vitest";
import { createSteppedClock } from "./stepped-clock.ts";

const STARTS_AT = Date.UTC(2026, 10, 20);

it("a stepped clock stands still but for sleeping and passing, which count as passed", async () => {
  const clock = createSteppedClock(STARTS_AT);
  expect([clock.now(), clock.now()]).toEqual([STARTS_AT, STARTS_AT]);
  await clock.sleepUntil(STARTS_AT + 60_000);
  clock.pass(250);
  expect([clock.now(), clock.timer()]).toEqual([STARTS_AT + 60_250, 60_250]);
});

it("a stepped clock does not go back for a time that has passed", async () => {
  const clock = createSteppedClock(STARTS_AT);
  await clock.sleepUntil(STARTS_AT - 1000);
  expect(clock.now()).toBe(STARTS_AT);
});

it("a stepped clock wakes a sleeper when stopped, with the reason, and stays", async () => {
  const clock = createSteppedClock(STARTS_AT);
  const stopped = AbortSignal.abort(new Error("stopped"));
  await expect(clock.sleepUntil(STARTS_AT + 1, stopped)).rejects.toThrow("stopped");
  expect(clock.now()).toBe(STARTS_AT);
});
