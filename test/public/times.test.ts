import { describe, expect, it } from "vitest";
import { toAgo, toDuration, toUtc } from "../../public/format/values.ts";

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

describe("times for people", () => {
  it.each([
    [-5, "0 s"],
    [12.9 * SECOND, "12 s"],
    [4 * MINUTE + 5 * SECOND, "4 min 5 s"],
    [2 * HOUR, "2 h"],
    [3 * HOUR + 12 * MINUTE, "3 h 12 min"],
    [DAY + 4 * HOUR + 59 * MINUTE, "1 d 4 h"],
  ])("say of %d ms that it is %s", (milliseconds, text) => {
    expect(toDuration(milliseconds)).toBe(text);
  });

  it.each([
    [-MINUTE, "just now"],
    [59 * SECOND, "just now"],
    [59 * MINUTE, "59 min ago"],
    [47 * HOUR, "47 h ago"],
    [12 * DAY, "12 d ago"],
  ])("say of %d ms that it was %s", (milliseconds, text) => {
    expect(toAgo(milliseconds)).toBe(text);
  });

  it("are UTC and say so", () => {
    expect(toUtc("2026-11-20T15:30:59.999Z")).toBe("2026-11-20 15:30 UTC");
  });
});
