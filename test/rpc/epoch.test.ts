import { afterEach, describe, expect, it } from "vitest";
import { readLiveEpoch } from "../../generator/rpc/epoch.ts";
import { createRpc } from "../../generator/rpc/rpc.ts";
import { createClock } from "../observe/fixtures.ts";
import { startNode, type TestServer } from "./rpc-server.ts";

describe("the live epoch", () => {
  const nodes: TestServer[] = [];

  it.each([
    ["behind its end", { slotIndex: 432_000 }],
    ["before the first of all", { slotIndex: 200, absoluteSlot: 199 }],
    ["of no length", { slotIndex: 0, slotsInEpoch: 0 }],
  ])("is not believed of a slot %s", async (_, odd) => {
    const info = { absoluteSlot: 455_000_123, epoch: 1053, slotsInEpoch: 432_000, ...odd };
    nodes.push(await startNode({ getEpochInfo: info }));
    const clock = createClock();
    const rpc = createRpc({ endpoints: nodes.map(({ url }) => url), now: clock.now, sleep: clock.sleep });
    await expect(readLiveEpoch({ rpc, deadline: clock.now() + 5_000 })).rejects.toMatchObject({ kind: "shape" });
    await rpc.close();
  });

  afterEach(async () => {
    await Promise.all(nodes.splice(0).map((node) => node.close()));
  });

  it("is read from the first endpoint that answers", async () => {
    const info = {
      absoluteSlot: 455_000_123,
      blockHeight: 1,
      epoch: 1053,
      slotIndex: 104_123,
      slotsInEpoch: 432_000,
      transactionCount: null,
    };
    nodes.push(await startNode({}), await startNode({ getEpochInfo: info }));
    const clock = createClock();
    const rpc = createRpc({ endpoints: nodes.map(({ url }) => url), now: clock.now, sleep: clock.sleep });
    await expect(readLiveEpoch({ rpc, deadline: clock.now() + 5_000 })).resolves.toEqual({
      absoluteSlot: 455_000_123,
      epoch: 1053,
      slotIndex: 104_123,
      slotsInEpoch: 432_000,
    });
    await rpc.close();
  });
});
