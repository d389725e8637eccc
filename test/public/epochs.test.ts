import { describe, expect, it } from "vitest";
import type { Epoch } from "../../generator/contract/epoch.ts";
import { tellsTime, toEffect, toProgress, toReadAt } from "../../public/format/epochs.ts";

const START = Date.parse("2026-11-20T00:00:00.000Z");
const HOUR = 3_600_000;

/** An epoch of ten hours, read when it was four hours old. */
const EPOCH: Epoch = {
  epoch: 1_000,
  slotIndex: 400,
  slotsInEpoch: 1_000,
  absoluteSlot: 1_000_400,
  progressPercent: 40,
  epochStartedAt: new Date(START).toISOString(),
  epochEndsAt: new Date(START + 10 * HOUR).toISOString(),
  live: true,
};
const UNMEASURED: Epoch = { ...EPOCH, epochStartedAt: null, epochEndsAt: null };

describe("an epoch", () => {
  it("tells by its slot when it was read", () => {
    expect(toReadAt(EPOCH)).toBe(START + 4 * HOUR);
    expect(toReadAt(UNMEASURED)).toBeNull();
  });

  it("tells no time once it is carried on to its last slot without the cluster", () => {
    const atEnd = { ...EPOCH, slotIndex: 999 };
    expect(tellsTime(EPOCH)).toBe(true);
    expect(tellsTime({ ...EPOCH, live: false })).toBe(true);
    expect(tellsTime(atEnd)).toBe(true);
    expect(tellsTime({ ...atEnd, live: false })).toBe(false);
  });

  it("goes on between two readings, and never beyond its end", () => {
    expect(toProgress(EPOCH, START + 5 * HOUR)).toBe(50);
    expect(toProgress(EPOCH, START + 11 * HOUR)).toBe(100);
    expect(toProgress(EPOCH, START - HOUR)).toBe(0);
  });

  it("stands where it was read while its length or the time is not known", () => {
    expect(toProgress(UNMEASURED, START)).toBe(40);
    expect(toProgress(EPOCH, null)).toBe(40);
  });
});

describe("a change", () => {
  const now = START + 4 * HOUR;

  it("is paid since an epoch that has begun", () => {
    expect(toEffect({ effectiveEpoch: 1_000 }, EPOCH, now)).toEqual({ kind: "since", epoch: 1_000, epochsAgo: 0 });
    expect(toEffect({ effectiveEpoch: 997 }, EPOCH, now)).toEqual({ kind: "since", epoch: 997, epochsAgo: 3 });
  });

  it("is paid from a later epoch, after the rest of this one and the whole ones between", () => {
    expect(toEffect({ effectiveEpoch: 1_001 }, EPOCH, now)).toMatchObject({ kind: "from", inMilliseconds: 6 * HOUR });
    expect(toEffect({ effectiveEpoch: 1_002 }, EPOCH, now)).toMatchObject({ kind: "from", inMilliseconds: 16 * HOUR });
  });

  it("has no time where none is measured, and no effect where none is known", () => {
    expect(toEffect({ effectiveEpoch: 1_002 }, UNMEASURED, now)).toMatchObject({ kind: "from", inMilliseconds: null });
    expect(toEffect({ effectiveEpoch: null }, EPOCH, now)).toEqual({ kind: "unknown" });
    expect(toEffect({ effectiveEpoch: 1_000 }, null, now)).toEqual({ kind: "unknown" });
  });
});
