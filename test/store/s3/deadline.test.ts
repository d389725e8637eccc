import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startDeadline, toTransferMilliseconds } from "../../../generator/store/s3/answers.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a deadline comes when its time is over", () => {
  const { signal } = startDeadline(1_000);
  vi.advanceTimersByTime(999);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.aborted).toBe(true);
});

test("a deadline is put off by what the bytes may take, all of them together", () => {
  const deadline = startDeadline(1_000);
  deadline.allow(50_000);
  deadline.allow(50_000);
  vi.advanceTimersByTime(1_500);
  deadline.allow(100_000);
  vi.advanceTimersByTime(1_499);
  expect(deadline.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(deadline.signal.aborted).toBe(true);
});

test.each([0, 500, 1_500])("a deadline called off after %d ms never comes", (milliseconds) => {
  const deadline = startDeadline(1_000);
  deadline.allow(100_000);
  vi.advanceTimersByTime(milliseconds);
  deadline.end();
  vi.advanceTimersByTime(60_000);
  expect(deadline.signal.aborted).toBe(false);
});

test("bytes may take what they need at 100 kB/s", () => {
  expect([0, 1, 100, 1_000_000].map(toTransferMilliseconds)).toEqual([0, 1, 1, 10_000]);
});
