import { afterEach, describe, expect, it } from "vitest";
import { SLOT_SAMPLES_MAX } from "../../generator/entries/entry.ts";
import { readSlotSamples } from "../../generator/observe/slot-samples.ts";
import { withReader } from "./fixtures.ts";
import { startNode, type TestServer } from "../rpc/rpc-server.ts";

let node: TestServer | undefined;

afterEach(async () => {
  await node?.close();
});

const sample = (slot: number, fields: object = {}) => ({
  slot,
  numSlots: 300,
  samplePeriodSecs: 60,
  numTransactions: 270_000,
  numNonVoteTransactions: 90_000,
  ...fields,
});

async function read(answer: unknown) {
  node = await startNode({ getRecentPerformanceSamples: answer });
  return withReader(node.url, readSlotSamples);
}

describe("samples of slot time", () => {
  it("are those of the last hour, newest first, as the node gives them", async () => {
    await expect(
      read([sample(600), sample(900, { numSlots: 0 }), sample(300, { samplePeriodSecs: 0 })]),
    ).resolves.toEqual([
      [900, 0, 60],
      [600, 300, 60],
      [300, 300, 0],
    ]);
    expect(node?.asked[0]?.body?.params).toEqual([60]);
  });

  it.each([
    [SLOT_SAMPLES_MAX, true],
    [SLOT_SAMPLES_MAX + 1, false],
  ])("may be %d: %s", async (count, isTaken) => {
    const answer = read(Array.from({ length: count }, (_, index) => sample(index * 300)));
    await (isTaken ? expect(answer).resolves.toHaveLength(count) : expect(answer).rejects.toThrow("expected array"));
  });

  it("may be none", async () => {
    await expect(read([])).resolves.toEqual([]);
  });

  it.each([
    ["null", null],
    ["negative slots", [sample(300, { numSlots: -1 })]],
    ["part of a second", [sample(300, { samplePeriodSecs: 59.5 })]],
    ["text", [sample(300, { samplePeriodSecs: "60" })]],
  ])("are refused with %s", async (_, answer) => {
    await expect(read(answer)).rejects.toMatchObject({ kind: "shape" });
  });
});
