import { describe, expect, it } from "vitest";
import { toExcessArea, toStepArea, toStepLine } from "../../public/format/rate-shapes.ts";
import { toBands, toLabels, toPins, toTicks } from "../../public/pages/validator/rate-marks.ts";
import { toEvents } from "./told.ts";

/** Ten pixels an epoch; 100 % at 0, 0 % at 100. */
const SCALE = { left: 0, step: 10, top: 0, height: 100 };

describe("the chart of a validator's rates", () => {
  it("fills what was paid down to 0 %, and leaves a gap where that is not known", () => {
    expect(toStepArea([5, null, 100], SCALE)).toBe("M0 100V95H10V100ZM20 100V0H30V100Z");
    expect(toStepLine([5, null, 100], SCALE)).toBe("M0 95H10M20 0H30");
  });

  it("shows in red only what was paid above the announced rate", () => {
    expect(toExcessArea([100, 5, 5, null], [5, 5, 100, 5], SCALE)).toBe("M0 95V0H10V95Z");
    expect(toExcessArea([100], [null], SCALE)).toBe("");
  });

  it("pins each rug, and those without room for a target of their own to the newest", () => {
    const at = (epoch: number, severity: "RUG" | "INFO" = "RUG") => ({ epoch, severity });
    const events = [at(20), at(20, "INFO"), at(19), at(10), at(2)];
    expect(toPins(events, { first: 3, scale: SCALE })).toEqual([
      { event: events[0], x: 175, count: 2 },
      { event: events[3], x: 75, count: 1 },
    ]);
  });

  it("bands the epochs of serial flips, those that overlap as one", () => {
    const of = (firstEpoch: number, lastEpoch: number) => ({
      pattern: { firstEpoch, lastEpoch } as never,
    });
    expect(toBands(toEvents({ pattern: null }, of(7, 12), of(7, 9), of(1, 3)))).toEqual([
      { from: 1, to: 3 },
      { from: 7, to: 12 },
    ]);
  });

  it.each([
    [[5], [5], ["paid and announced 5\u00a0%"]],
    [[5], [100], ["paid 5\u00a0%", "announced 100\u00a0%"]],
    [[95], [100], ["paid 95\u00a0%", "announced 100\u00a0%"]],
    [[5, null], null, ["paid 5\u00a0%"]],
    [[null], [null], []],
  ])("says at the end of its lines what they are: %j, %j", (paid, announced, texts) => {
    const labels = toLabels({ paid, announced }, SCALE);
    expect(labels.map(({ text }) => text)).toEqual(texts);
    const heights = labels.map(({ y }) => y).sort((one, other) => one - other);
    for (const [index, height] of heights.slice(1).entries())
      expect(height - heights[index]!).toBeGreaterThanOrEqual(14);
  });

  it.each([
    ["above", 10, 7],
    ["below", 100, -15],
  ])("puts a label and its halo %s its line", (_, rate, pixels) => {
    const [label] = toLabels({ paid: [rate], announced: null }, SCALE);
    expect(Math.abs(100 - rate - label!.y)).toBeGreaterThanOrEqual(Math.abs(pixels));
    expect(Math.sign(100 - rate - label!.y)).toBe(Math.sign(pixels));
  });

  it("names round epochs with room between them", () => {
    const points = Array.from({ length: 30 }, (_, index) => ({ epoch: 1_001 + index }));
    expect(toTicks(points, 10)).toEqual([1_010, 1_020, 1_030]);
    expect(toTicks([{ epoch: 7 }], 700)).toEqual([7]);
  });
});
