import { describe, expect, it } from "vitest";
import { firstSlotOf } from "../../generator/chain/epoch-schedule.ts";
import { SLOT_SAMPLES_MAX } from "../../generator/entries/entry.ts";
import * as slots from "../../generator/observe/slots.ts";
import { startNode } from "../rpc/rpc-server.ts";
import { createClock, key, readFrom, withRpc } from "./fixtures.ts";

const read = (byIdentity: unknown, range: unknown = { firstSlot: 432_000, lastSlot: 432_900 }) =>
  readFrom(
    { getBlockProduction: { context: { slot: 432_900 }, value: { byIdentity, range } } },
    (reader) =>
      slots.readBlockProduction(reader, {
        identities: new Set([key(1), key(2)]),
        epochFirstSlot: 432_000,
      }),
  );

describe("block production", () => {
  it("is that of the identities asked about, and of one that cannot be read does not cost that of the others", async () => {
    const rows = [
      [key(1), 0, 0],
      [key(2), 8, 7],
    ].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
    expect(await read({ [key(2)]: [8, 7], [key(1)]: [0, 0], [key(3)]: [4, 4] })).toEqual(rows);
    expect(await read({ [key(1)]: [8], __proto__: [1, 1], [key(2)]: [8, 7] })).toEqual([
      [key(2), 8, 7],
    ]);
  });

  it.each([0, 864_000])(
    "of another epoch, from slot %d on, is not taken for that of this one",
    async (firstSlot) => {
      const reading = read({ [key(1)]: [8, 7] }, { firstSlot, lastSlot: firstSlot + 9 });
      await expect(reading).rejects.toMatchObject({ kind: "behind" });
    },
  );

  it.each<[unknown, unknown?]>([[{ [key(1)]: [8, 7] }, null], [null], [[]], ["none"]])(
    "is refused as %j of slots %j",
    async (...said) => {
      await expect(read(...said)).rejects.toMatchObject({ kind: "shape" });
    },
  );
});

const sample = (slot: number, fields: object = {}) => ({
  slot,
  numSlots: 300,
  samplePeriodSecs: 60,
  ...fields,
});
const readSamples = (answer: unknown) =>
  readFrom(
    { getRecentPerformanceSamples: ([count]: [number]) => (count === 60 ? answer : null) },
    slots.readSlotSamples,
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

const mainnet = { slotsPerEpoch: 432_000, firstNormalEpoch: 0, firstNormalSlot: 0 };
const testnet = { slotsPerEpoch: 432_000, firstNormalEpoch: 14, firstNormalSlot: 524_256 };
async function readSchedule(schedules: unknown[], known: slots.KnownEpoch) {
  const nodes = await Promise.all(
    schedules.map((getEpochSchedule) => startNode({ getEpochSchedule })),
  );
  const clock = createClock();
  const reading = withRpc(nodes, clock, (rpc) =>
    slots.readEpochSchedule(
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
