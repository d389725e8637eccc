import { describe, expect, it } from "vitest";
import type { Epoch } from "../../generator/contract/epoch.ts";
import { tellsTime, toReadAt } from "../../public/api/clock.ts";
import { toEffect, toEpochs } from "../../public/format/events.ts";
import { toProgress } from "../../public/pages/now/Now.tsx";

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
  const paid = (effectiveEpoch: number | null, effectiveEpochLatest = effectiveEpoch) => ({
    effectiveEpoch,
    effectiveEpochLatest,
    supersededBy: null,
    replacedBy: null,
  });

  it("is paid since an epoch that has begun", () => {
    const since = { kind: "since", epochs: "epoch 1000", epochsAgo: 0 };
    expect(toEffect(paid(1_000), EPOCH, now)).toEqual(since);
    expect(toEffect(paid(997), EPOCH, now)).toEqual({ ...since, epochs: "epoch 997", epochsAgo: 3 });
  });

  it("is paid from a later epoch, after the rest of this one and the whole ones between", () => {
    expect(toEffect(paid(1_001), EPOCH, now)).toMatchObject({ kind: "from", inMilliseconds: 6 * HOUR });
    expect(toEffect(paid(1_002), EPOCH, now)).toMatchObject({ kind: "from", inMilliseconds: 16 * HOUR });
  });

  it("has no time where none is measured, and no effect where none is known", () => {
    expect(toEffect(paid(1_002), UNMEASURED, now)).toMatchObject({ kind: "from", inMilliseconds: null });
    expect(toEffect(paid(null), EPOCH, now)).toEqual({ kind: "unknown" });
    expect(toEffect(paid(1_000), null, now)).toEqual({ kind: "unknown" });
  });

  it("is paid from one epoch or another where one began while it was being made", () => {
    const epochs = "epoch 1001 or 1002";
    expect(toEffect(paid(1_001, 1_002), EPOCH, now)).toEqual({ kind: "from", epochs, inMilliseconds: 6 * HOUR });
    expect(toEffect(paid(1_000, 1_001), EPOCH, now)).toMatchObject({ kind: "from", inMilliseconds: null });
    expect(toEffect(paid(999, 1_000), EPOCH, now)).toMatchObject({ kind: "since", epochsAgo: null });
    expect(toEpochs(paid(1_001, 1_004))).toBe("one of the epochs 1001 to 1004");
  });

  it("is never paid where another took it away in its epoch", () => {
    expect(toEffect({ ...paid(1_001), supersededBy: "another" }, EPOCH, now)).toEqual({ kind: "never" });
  });

  it("is told by its steps where they are events of their own", () => {
    const replaced = { ...paid(1_001), supersededBy: "a step", replacedBy: "a step" };
    expect(toEffect(replaced, EPOCH, now)).toEqual({ kind: "steps" });
  });
});
