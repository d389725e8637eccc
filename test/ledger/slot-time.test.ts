import { describe, expect, it } from "vitest";
import type { SnapshotEntry } from "../../generator/entries/entry.ts";
import { measureSlotMilliseconds } from "../../generator/ledger/uptime/slot-time.ts";
import { FIRST_EPOCH, minutes, slotAt, SLOTS_IN_EPOCH, timeAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { movedTo, snapshot } from "../story/observations.ts";
import { crowd } from "../story/validators.ts";

type Sample = [slot: number, numSlots: number, seconds: number];
const begin = slotAt(0);
const boundary = begin + SLOTS_IN_EPOCH;

/** A snapshot at a slot independent of the clock, with the node's samples. */
function at(minute: number, absoluteSlot: number, ...samples: Sample[]): SnapshotEntry {
  const slotSamples = { state: "ok" as const, value: samples };
  const sides = samples.length > 0 ? { slotSamples } : {};
  return movedTo(snapshot(minute, crowd(4), sides), absoluteSlot);
}

const anchorsOf = (...entries: SnapshotEntry[]) => foldStory(...entries).ledger.slotTimeAnchors;
const timesOf = (...entries: SnapshotEntry[]) => anchorsOf(...entries).map(({ time }) => time);

describe("the time of a slot, in milliseconds, between snapshots", () => {
  const slow = [0, 10, 20, 30].map((minute) => at(minute, boundary - 10_000 + minute * 171));
  const shortEpochs = [0, 1, 2, 3, 4].map((index) =>
    at(index * 130, begin + index * (SLOTS_IN_EPOCH + 3_000)),
  );
  const halted = [0, 10, 20, 30, 270, 280].map((m) => at(m, begin + (m < 240 ? m : m - 235) * 300));

  it.each<[string, SnapshotEntry[], number | null]>([
    ["is not known from a single one", [at(0, begin)], null],
    ["nor from two that are too near to each other", [at(0, begin), at(0.1, begin + 100)], null],
    ["is that of the usual pace", [at(0, begin), at(10, begin + 3_000)], 200],
    ["of a slower one", slow, 1200 / 3.42],
    [
      "follows a new target within ten minutes",
      [...slow, at(60, boundary + 400), at(70, boundary + 2_400)],
      300,
    ],
    [
      "is the last epoch's at first",
      [at(0, boundary - 6_000), at(10, boundary - 3_000), at(20, boundary)],
      200,
    ],
    ["is measured over epochs shorter than the time between snapshots too", shortEpochs, 200],
    ["does not count a time in which the cluster stood still", halted, 200],
    [
      "counts a time in which only the generator stood still",
      [at(0, begin), at(100, begin + 30_000)],
      200,
    ],
  ])("%s", (_, entries, expected) => {
    const measured = measureSlotMilliseconds(anchorsOf(...entries));
    if (expected === null) expect(measured).toBeNull();
    else expect(measured).toBeCloseTo(expected);
  });

  it("is measured over the last hour", () => {
    const last = [130, 140, 150, 160, 170, 180, 190].map(timeAt);
    expect(
      timesOf(...minutes(0, 19).map((index) => at(index * 10, begin + index * 3_000))),
    ).toEqual(last);
    expect(
      anchorsOf(...minutes(0, 119).map((m) => at(m, begin + m * 300))).length,
    ).toBeLessThanOrEqual(61);
  });

  it("leaves out the later of two that are too near", () => {
    expect(timesOf(at(0, begin), at(0.1, begin + 100), at(10, begin + 3_000))).toEqual([
      timeAt(0),
      timeAt(10),
    ]);
  });

  it("begins anew when the slots go back", () => {
    const restarted = [...minutes(20, 29), 31].map((minute) => at(minute, begin + minute));
    expect(timesOf(at(0, begin + 5_000), at(10, begin + 8_000))).toHaveLength(2);
    expect(timesOf(at(0, begin + 5_000), ...restarted)).toEqual([timeAt(31)]);
  });

  it("is not known of slots that take no time", () => {
    const anchor = (minute: number, absoluteSlot: number) => ({
      time: timeAt(minute),
      epoch: FIRST_EPOCH,
      absoluteSlot,
      sampled: null,
    });
    expect(measureSlotMilliseconds([anchor(0, 0), anchor(10, Number.MAX_SAFE_INTEGER)])).toBeNull();
  });
});

const usual = [1, 2, 3].map((minute): Sample => [begin + minute * 300, 300, 60]);
const among = (...samples: Sample[]) => [at(3, begin + 1_000, ...samples)];
const HUGE = Number.MAX_SAFE_INTEGER;
const wrong: Sample = [begin + 900, 150, 60];
const old: Sample = [boundary, 171, 60];
const before = [at(100, boundary - 4_000), at(110, boundary - 2_000)];

it.each<[string, SnapshotEntry[], number | null]>([
  ["it is shown from the first snapshot on", among(...usual), 200],
  ["it is as wrong as they are", among(wrong), 400],
  [
    "until there are two snapshots",
    [at(3, begin + 1_000, wrong), at(13, begin + 4_000, wrong)],
    200,
  ],
  [
    "only those of the running epoch count",
    [at(121, boundary + 300, [boundary + 240, 240, 60], old, old, old)],
    250,
  ],
  ["while there are any", [at(121, boundary + 10, old)], 1200 / 3.42],
  [
    "they count more than an epoch before",
    [...before, at(125, boundary + 1_500, [boundary + 1_200, 300, 60])],
    200,
  ],
  [
    "none of a cluster that stood still counts",
    among(...usual, [begin + 400, 0, 60], [begin + 400, 2, 60]),
    200,
  ],
  [
    "no slots that no cluster makes",
    among(...usual, [begin + 400, 300, 1], [begin + 700, 300, 1]),
    200,
  ],
  ["no period of no time", among(...usual, [begin + 400, 300, 0]), 200],
  [
    "no numbers beyond belief",
    among(...usual, [begin + 400, HUGE, 1], [begin + 400, 1, HUGE]),
    200,
  ],
  ["none that tells nothing", among([begin, 0, 60]), null],
  ["none of slots that take no time", among([begin, HUGE, 1]), null],
  [
    "nothing where there are none",
    [{ ...at(3, begin), slotSamples: { state: "ok", value: [] } }],
    null,
  ],
  [
    "nothing where it refuses them",
    [{ ...at(3, begin), slotSamples: { state: "failed", reason: "no" } }],
    null,
  ],
])("by the node's samples %s", (_, entries, expected) => {
  const measured = measureSlotMilliseconds(anchorsOf(...entries));
  if (expected === null) expect(measured).toBeNull();
  else expect(measured).toBeCloseTo(expected);
});
