import { describe, expect, it } from "vitest";
import type { SnapshotEntry } from "../../generator/entries/entry.ts";
import { measureSlotMilliseconds } from "../../generator/ledger/slot-time.ts";
import { crowd, slotAt, SLOTS_IN_EPOCH, snapshot, tell, timeAt } from "./story.ts";

const facts = crowd(4);

/** A snapshot of a cluster that stood at a slot which the clock does not tell. */
function at(minute: number, absoluteSlot: number, sides: Partial<SnapshotEntry> = {}): SnapshotEntry {
  const slotIndex = absoluteSlot % SLOTS_IN_EPOCH;
  const epoch = (absoluteSlot - slotIndex) / SLOTS_IN_EPOCH;
  return snapshot(minute, facts, { slot: absoluteSlot, absoluteSlot, slotIndex, epoch, ...sides });
}

const samples = (...value: [slot: number, numSlots: number, seconds: number][]): Partial<SnapshotEntry> => ({
  slotSamples: { state: "ok", value },
});

const measured = (...entries: SnapshotEntry[]) => measureSlotMilliseconds(tell(...entries).ledger.slotTimeAnchors);

const begin = slotAt(0);
const boundary = begin + SLOTS_IN_EPOCH;

describe("slot time between snapshots", () => {
  it("is measured over the last hour", () => {
    const minutes = Array.from({ length: 20 }, (_, index) => index * 10);
    const { ledger } = tell(...minutes.map((minute) => snapshot(minute, facts)));
    expect(ledger.slotTimeAnchors.map(({ time }) => time)).toEqual([130, 140, 150, 160, 170, 180, 190].map(timeAt));
    expect(measureSlotMilliseconds(ledger.slotTimeAnchors)).toBe(200);
  });

  it("is not known from a single one", () => {
    expect(measured(snapshot(0, facts))).toBeNull();
  });

  it("is not taken from two that are too near to each other, of which the later one gives way", () => {
    const near = [at(0, begin), at(0.1, begin + 100)];
    expect(measured(...near)).toBeNull();
    const { ledger } = tell(...near, at(10, begin + 3_000));
    expect(ledger.slotTimeAnchors.map(({ time }) => time)).toEqual([timeAt(0), timeAt(10)]);
    expect(measureSlotMilliseconds(ledger.slotTimeAnchors)).toBe(200);
  });

  it("follows a new target from the first ten minutes of the epoch that brings it", () => {
    const slow = [0, 10, 20, 30].map((minute) => at(minute, boundary - 10_000 + minute * 171));
    expect(measured(...slow)).toBeCloseTo(350.877);
    // 300 ms: 200 slots a minute.
    const fast = [60, 70].map((minute) => at(minute, boundary + (minute - 58) * 200));
    expect(measured(...slow, ...fast)).toBe(300);
  });

  it("is that of the epoch before until there are two in this one", () => {
    const before = [at(0, boundary - 6_000), at(10, boundary - 3_000)];
    expect(measured(...before, at(25, boundary + 10))).not.toBeNull();
    expect(measured(...before)).toBe(200);
  });

  it("is measured over epochs shorter than the time between snapshots too", () => {
    const slots = Array.from({ length: 5 }, (_, index) => begin + index * (SLOTS_IN_EPOCH + 3_000));
    expect(measured(...slots.map((slot, index) => at(index * 130, slot)))).toBe(200);
  });

  it("does not count a time in which the cluster stood still", () => {
    const running = [0, 10, 20, 30].map((minute) => at(minute, begin + minute * 300));
    const afterHalt = [270, 280].map((minute) => at(minute, begin + (minute - 235) * 300));
    expect(measured(...running, ...afterHalt)).toBe(200);
  });

  it("counts a time in which only the generator stood still", () => {
    expect(measured(at(0, begin), at(100, begin + 30_000))).toBe(200);
  });

  it("begins anew when the slots go back", () => {
    const { ledger } = tell(at(0, begin + 5_000), at(10, begin + 8_000));
    expect(ledger.slotTimeAnchors).toHaveLength(2);
    const restarted = [20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 31].map((minute) => at(minute, begin + minute));
    expect(tell(at(0, begin + 5_000), ...restarted).ledger.slotTimeAnchors.map(({ time }) => time)).toEqual([
      timeAt(31),
    ]);
  });
});

describe("slot time by the node's samples", () => {
  it("is shown from the first snapshot on", () => {
    const sides = samples([begin + 900, 300, 60], [begin + 600, 300, 60], [begin + 300, 300, 60]);
    expect(measured(at(3, begin + 1_000, sides))).toBe(200);
  });

  it("gives way to two snapshots", () => {
    const wrong = samples([begin + 900, 150, 60]);
    expect(measured(at(3, begin + 1_000, wrong))).toBe(400);
    expect(measured(at(3, begin + 1_000, wrong), at(13, begin + 4_000, wrong))).toBe(200);
  });

  it("counts only those of the running epoch while there are any", () => {
    const old: [number, number, number] = [boundary, 171, 60];
    const sides = samples([boundary + 240, 240, 60], old, old, old);
    expect(measured(at(121, boundary + 300, sides))).toBe(250);
    expect(measured(at(121, boundary + 10, samples(old)))).toBeCloseTo(350.877);
  });

  it("counts more than snapshots of an epoch before, whose target may have been another", () => {
    const before = [at(100, boundary - 4_000), at(110, boundary - 2_000)];
    expect(measured(...before)).toBe(300);
    expect(measured(...before, at(125, boundary + 1_500, samples([boundary + 1_200, 300, 60])))).toBe(200);
  });

  it.each([
    ["minutes in which the cluster stood still", [begin + 400, 0, 60], [begin + 400, 2, 60]],
    ["slots that no cluster makes", [begin + 400, 300, 1], [begin + 700, 300, 1]],
    ["a period of no time", [begin + 400, 300, 0], [begin + 400, 300, 0]],
    ["numbers beyond belief", [begin + 400, Number.MAX_SAFE_INTEGER, 1], [begin + 400, 1, Number.MAX_SAFE_INTEGER]],
  ] as const)("does not count %s", (_, one, other) => {
    const usual: [number, number, number][] = [1, 2, 3].map((minute) => [begin + minute * 300, 300, 60]);
    expect(measured(at(3, begin + 1_000, samples(...usual, [...one], [...other])))).toBe(200);
  });

  it.each([
    ["none", []],
    ["only those that tell nothing", [[begin, 0, 60]]],
    ["slots that take no time", [[begin, Number.MAX_SAFE_INTEGER, 1]]],
  ] as [string, [number, number, number][]][])("is not known from %s", (_, value) => {
    expect(measured(at(3, begin + 1_000, samples(...value)))).toBeNull();
  });

  it("is not known where the node refuses them", () => {
    expect(measured(at(3, begin + 1_000, { slotSamples: { state: "failed", reason: "no" } }))).toBeNull();
  });
});
