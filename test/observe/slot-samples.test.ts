import { describe, expect, it } from "vitest";
import { SLOT_SAMPLES_MAX } from "../../generator/entries/entry.ts";
import { readSlotSamples } from "../../generator/observe/slot-samples.ts";
import { readFrom } from "./fixtures.ts";

const sample = (slot: number, fields: object = {}) => ({
  slot,
  numSlots: 300,
  samplePeriodSecs: 60,
  ...fields,
});
const readSamples = (answer: unknown) =>
  readFrom(
    { getRecentPerformanceSamples: ([count]: [number]) => (count === 60 ? answer : null) },
    readSlotSamples,
  );

describe("samples of slot time", () => {
  it("are those of the last hour, newest first, as the node gives them", async () => {
    const samples = [
      sample(600),
      sample(900, { numSlots: 0 }),
      sample(300, { samplePeriodSecs: 0 }),
    ];
    expect(await readSamples(samples)).toEqual([
      [900, 0, 60],
      [600, 300, 60],
      [300, 300, 0],
    ]);
  });

  it.each([
    [0, true],
    [SLOT_SAMPLES_MAX, true],
    [SLOT_SAMPLES_MAX + 1, false],
  ])("may be %d: %s", async (count, isTaken) => {
    const answer = readSamples(Array.from({ length: count }, (_, index) => sample(index * 300)));
    await (isTaken
      ? expect(answer).resolves.toHaveLength(count)
      : expect(answer).rejects.toThrow("expected array"));
  });

  it.each([
    ["null", null],
    ["negative slots", [sample(300, { numSlots: -1 })]],
    ["part of a second", [sample(300, { samplePeriodSecs: 59.5 })]],
    ["text", [sample(300, { samplePeriodSecs: "60" })]],
  ])("are refused with %s", async (_, answer) => {
    await expect(readSamples(answer)).rejects.toMatchObject({ kind: "shape" });
  });
});
