import { describe, expect, it } from "vitest";
import { firstSlotOf } from "../../generator/chain/epoch-schedule.ts";
import { type KnownEpoch, readEpochSchedule } from "../../generator/observe/epoch-schedule.ts";
import { startNode } from "../rpc/rpc-server.ts";
import { createClock, withRpc } from "./fixtures.ts";

const mainnet = { slotsPerEpoch: 432_000, firstNormalEpoch: 0, firstNormalSlot: 0 };
const testnet = { slotsPerEpoch: 432_000, firstNormalEpoch: 14, firstNormalSlot: 524_256 };
async function readSchedule(schedules: unknown[], known: KnownEpoch) {
  const nodes = await Promise.all(
    schedules.map((getEpochSchedule) => startNode({ getEpochSchedule })),
  );
  const clock = createClock();
  const reading = withRpc(nodes, clock, (rpc) =>
    readEpochSchedule(
      rpc.endpoints.map(({ until }) => until(clock.now() + 60_000)),
      known,
    ),
  );
  return reading.finally(() => Promise.all(nodes.map((node) => node.close())));
}

it.each([
  ["mainnet, without a warm-up", mainnet, 0, 0],
  ["mainnet, the epoch of SIMD-0249", mainnet, 991, 428_112_000],
  ["testnet, its first epoch of 32 slots", testnet, 0, 0],
  ["testnet, the second one of 64", testnet, 1, 32],
  ["testnet, the last one of the warm-up", testnet, 13, 262_112],
  ["testnet, the first normal one", testnet, 14, 524_256],
  ["testnet, the next one", testnet, 15, 956_256],
  ["testnet, the epoch of SIMD-0249", testnet, 954, 406_604_256],
])("the first slot of an epoch %s", (_, schedule, epoch, slot) => {
  expect(firstSlotOf(schedule, epoch)).toBe(slot);
});

describe("an epoch schedule", () => {
  const known = { epoch: 954, firstSlot: 406_604_256, slotsInEpoch: 432_000 };

  it("that agrees with what was observed is believed, of whichever endpoint", async () => {
    const given = { ...testnet, warmup: true, leaderScheduleSlotOffset: 432_000 };
    expect(await readSchedule([given], known)).toEqual(testnet);
    expect(await readSchedule([mainnet, testnet], known)).toEqual(testnet);
  });

  const made = { slotsPerEpoch: 432_000, firstNormalEpoch: 1, firstNormalSlot: 432_000 };
  it.each([
    [
      "of another cluster",
      mainnet,
      {},
      /begins at slot 412128000 .*, but 432000 from slot 406604256 on were observed/,
    ],
    [
      "with another length",
      mainnet,
      { epoch: 0, firstSlot: 0, slotsInEpoch: 8192 },
      /but 8192 from slot 0 on were/,
    ],
    ["with a warm-up that no cluster had", made, { firstSlot: 954 * 432_000 }, /warm-up/],
  ])("%s is refused with what was observed", async (_, schedule, observed, reason) => {
    await expect(readSchedule([schedule], { ...known, ...observed })).rejects.toThrow(reason);
  });

  it.each([
    ["a warm-up that cannot be", { ...testnet, firstNormalSlot: 524_257 }],
    ["no warm-up that begins late", { ...mainnet, firstNormalSlot: 432_000 }],
    ["no length", { ...mainnet, slotsPerEpoch: 0 }],
    ["fractions", { ...mainnet, slotsPerEpoch: 432_000.5 }],
    ["endless warm-up", { ...testnet, firstNormalEpoch: 1e9 }],
    ["text", "432000"],
  ])("with %s is refused", async (_, schedule) => {
    await expect(readSchedule([schedule], known)).rejects.toMatchObject({
      name: "RpcError",
      kind: "shape",
    });
  });
});
