import { describe, expect, it } from "vitest";
import { readLiveEpoch } from "../../generator/rpc/epoch.ts";
import { createClock, withRpc } from "../observe/fixtures.ts";
import { startNode, type Methods } from "./rpc-server.ts";

const EPOCH_INFO = {
  absoluteSlot: 455_000_123,
  epoch: 1053,
  slotIndex: 104_123,
  slotsInEpoch: 432_000,
};

async function read(...methods: Methods[]) {
  const [nodes, clock] = [await Promise.all(methods.map(startNode)), createClock()];
  const reading = withRpc(nodes, clock, (rpc) =>
    readLiveEpoch({ rpc, deadline: clock.now() + 5_000 }),
  );
  return reading.finally(() => Promise.all(nodes.map((node) => node.close())));
}

describe("the live epoch", () => {
  it.each([
    ["behind its end", { slotIndex: 432_000 }],
    ["before the first of all", { slotIndex: 200, absoluteSlot: 199 }],
    ["of no length", { slotIndex: 0, slotsInEpoch: 0 }],
  ])("is not believed of a slot %s", async (_, odd) => {
    await expect(read({ getEpochInfo: { ...EPOCH_INFO, ...odd } })).rejects.toMatchObject({
      kind: "shape",
    });
  });

  it("is read from the first endpoint that answers", async () => {
    const getEpochInfo = { ...EPOCH_INFO, blockHeight: 1, transactionCount: null };
    expect(await read({}, { getEpochInfo })).toEqual(EPOCH_INFO);
  });
});
