import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { epochSchema, type EpochReading } from "../../../generator/contract/epoch.ts";
import { estimateEpoch } from "../../../proxy/cache/epoch-estimate.ts";

const OBSERVED = Date.UTC(2026, 10, 20, 12);
const reading: EpochReading = {
  epoch: 1053,
  slotIndex: 108_000,
  slotsInEpoch: 432_000,
  absoluteSlot: 455_004_000,
  observedAt: new Date(OBSERVED).toISOString(),
  slotMilliseconds: 200,
};

describe("the epoch carried on from a reading", () => {
  it("is the reading itself at its own time", () => {
    expect(estimateEpoch({ reading, now: OBSERVED, live: true })).toEqual({
      epoch: 1053,
      slotIndex: 108_000,
      slotsInEpoch: 432_000,
      absoluteSlot: 455_004_000,
      progressPercent: 25,
      epochStartedAt: new Date(OBSERVED - 108_000 * 200).toISOString(),
      epochEndsAt: new Date(OBSERVED + 324_000 * 200).toISOString(),
      live: true,
    });
  });

  it("moves on by whole slots, while start and end stay", () => {
    const later = estimateEpoch({ reading, now: OBSERVED + 60_199 });
    const first = estimateEpoch({ reading, now: OBSERVED });
    expect(later).toMatchObject({ slotIndex: 108_300, absoluteSlot: 455_004_300, progressPercent: 25.07, live: false });
    expect([later.epochStartedAt, later.epochEndsAt]).toEqual([first.epochStartedAt, first.epochEndsAt]);
  });

  it("ends at the last slot of its epoch, and a day later still does", () => {
    const last = { epoch: 1053, slotIndex: 431_999, absoluteSlot: 455_004_000 + 323_999, progressPercent: 100 };
    for (const later of [323_999 * 200, 324_000 * 200, 324_000 * 200 + 86_400_000]) {
      const estimate = estimateEpoch({ reading, now: OBSERVED + later });
      expect(estimate).toMatchObject(last);
      expect(estimate.epochStartedAt).toBe(new Date(OBSERVED - 108_000 * 200).toISOString());
      expect(estimate.epochEndsAt).toBe(new Date(OBSERVED + 324_000 * 200).toISOString());
    }
    expect(estimateEpoch({ reading, now: OBSERVED + 323_999 * 200 - 1 }).slotIndex).toBe(431_998);
  });

  it("at any later time is the same epoch, in which its slot only moves on", () => {
    const later = fc.integer({ min: 0, max: 400 * 86_400_000 });
    fc.assert(
      fc.property(later, later, (one, other) => {
        const [first, second] = [Math.min(one, other), Math.max(one, other)].map((milliseconds) =>
          estimateEpoch({ reading, now: OBSERVED + milliseconds }),
        );
        expect(epochSchema.safeParse(second).error).toBeUndefined();
        expect(second!.absoluteSlot - second!.slotIndex).toBe(454_896_000);
        expect(second!.epoch).toBe(1053);
        expect(second!.slotIndex).toBeGreaterThanOrEqual(first!.slotIndex);
        expect(second!.slotIndex).toBeLessThan(432_000);
      }),
    );
  });

  it("stands still and tells no times while no slot time is measured", () => {
    const estimate = estimateEpoch({ reading: { ...reading, slotMilliseconds: null }, now: OBSERVED + 3_600_000 });
    expect(estimate).toMatchObject({ slotIndex: 108_000, epochStartedAt: null, epochEndsAt: null });
  });

  it.each([
    ["a clock before the reading", { now: OBSERVED - 5_000 }],
    ["a slot time beyond all dates", { now: OBSERVED, reading: { ...reading, slotMilliseconds: 1e12 } }],
  ])("keeps to its schema with %s", (_, options) => {
    const estimate = estimateEpoch({ reading, ...options });
    expect(epochSchema.safeParse(estimate).error).toBeUndefined();
    expect(estimate.slotIndex).toBe(108_000);
  });
});
