import { afterEach, describe, expect, it } from "vitest";
import { firstSlotOf } from "../../generator/chain/epoch-schedule.ts";
import { readEpochSchedule, type KnownEpoch } from "../../generator/observe/epoch-schedule.ts";
import { createRpc } from "../../generator/rpc/rpc.ts";
import { createClock } from "./fixtures.ts";
import { startNode, type TestServer } from "../rpc/rpc-server.ts";

const mainnet = { slotsPerEpoch: 432_000, firstNormalEpoch: 0, firstNormalSlot: 0 };
const testnet = { slotsPerEpoch: 432_000, firstNormalEpoch: 14, firstNormalSlot: 524_256 };
const nodes: TestServer[] = [];

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()));
});

async function read(schedules: unknown[], known: KnownEpoch) {
  for (const getEpochSchedule of schedules) nodes.push(await startNode({ getEpochSchedule }));
  const clock = createClock();
  const endpoints = nodes.map(({ url }) => url);
  const rpc = createRpc({ endpoints, now: clock.now, sleep: clock.sleep, random: () => 0 });
  try {
    return await readEpochSchedule({ rpc, known, deadline: clock.now() + 60_000 });
  } finally {
    await rpc.close();
  }
}

describe("the first slot of an epoch", () => {
  it.each([
    ["mainnet, without a warm-up", mainnet, 0, 0],
    ["mainnet, the epoch of SIMD-0249", mainnet, 991, 428_112_000],
    ["testnet, its first epoch of 32 slots", testnet, 0, 0],
    ["testnet, the second one of 64", testnet, 1, 32],
    ["testnet, the last one of the warm-up", testnet, 13, 262_112],
    ["testnet, the first normal one", testnet, 14, 524_256],
    ["testnet, the next one", testnet, 15, 956_256],
    ["testnet, the epoch of SIMD-0249", testnet, 954, 406_604_256],
  ])("%s", (_, schedule, epoch, slot) => {
    expect(firstSlotOf(schedule, epoch)).toBe(slot);
  });
});

describe("an epoch schedule", () => {
  const known = { epoch: 954, firstSlot: 406_604_256, slotsInEpoch: 432_000 };

  it("that agrees with what was observed is believed", async () => {
    await expect(read([{ ...testnet, warmup: true, leaderScheduleSlotOffset: 432_000 }], known)).resolves.toEqual(
      testnet,
    );
  });

  it("of another cluster is not, and the next endpoint is asked", async () => {
    await expect(read([mainnet, testnet], known)).resolves.toEqual(testnet);
    expect(nodes.map(({ asked }) => asked.length)).toEqual([1, 1]);
  });

  it("that agrees with nothing says what it said and what was observed", async () => {
    await expect(read([mainnet], known)).rejects.toThrow(
      "epoch 954 has 432000 slots from slot 412128000 on, observed were 432000 from slot 406604256 on",
    );
  });

  it("is not believed where only the beginning of the epoch agrees", async () => {
    const wrongLength = { epoch: 0, firstSlot: 0, slotsInEpoch: 8192 };
    await expect(read([mainnet], wrongLength)).rejects.toThrow("observed were 8192 from slot 0 on");
  });

  it("with a warm-up that no cluster had is refused, also where it agrees with the epoch observed", async () => {
    const made = { slotsPerEpoch: 432_000, firstNormalEpoch: 1, firstNormalSlot: 432_000 };
    await expect(read([made], { ...known, firstSlot: 954 * 432_000 })).rejects.toThrow("warm-up");
  });

  it.each([
    ["a warm-up that cannot be", { ...testnet, firstNormalSlot: 524_257 }],
    ["no warm-up that begins late", { ...mainnet, firstNormalSlot: 432_000 }],
    ["no length", { ...mainnet, slotsPerEpoch: 0 }],
    ["fractions", { ...mainnet, slotsPerEpoch: 432_000.5 }],
    ["endless warm-up", { ...testnet, firstNormalEpoch: 1e9 }],
    ["text", "432000"],
  ])("with %s is refused", async (_, schedule) => {
    await expect(read([schedule], known)).rejects.toMatchObject({ name: "RpcError", kind: "shape" });
  });
});
