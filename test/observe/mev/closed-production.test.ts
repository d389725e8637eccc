import { describe, expect, it } from "vitest";
import { snapshotEntrySchema } from "../../../generator/entries/entry.ts";
import { readBlocks } from "../../../generator/observe/mev/closed-production.ts";
import type { Methods } from "../../rpc/rpc-server.ts";
import { CLOSED_EPOCH, SLOT } from "../cluster.ts";
import { key, readFrom } from "../fixtures.ts";
import { asking, failed, fails, snapshotOf } from "../observing.ts";

const { firstSlot, lastSlot } = CLOSED_EPOCH;
const RANGE: Partial<Record<"firstSlot" | "lastSlot", number>> = { firstSlot, lastSlot };
const CLOSED = { ...CLOSED_EPOCH, identities: [key(101), key(102)] };

const counting = (byIdentity: unknown, { slot = SLOT, range = RANGE } = {}): Methods => ({
  getBlockProduction: ([asked]: [{ range?: unknown }]) => ({
    context: { slot },
    value: {
      byIdentity: asked.range === undefined ? {} : byIdentity,
      range: asked.range === undefined ? {} : range,
    },
  }),
});

const read = (...answer: Parameters<typeof counting>) =>
  readFrom(counting(...answer), (reader) => readBlocks(reader, CLOSED));

describe("blocks of a closed epoch", () => {
  it("are asked for by its slots, finalized", async () => {
    const asked: unknown[] = [];
    const getBlockProduction = (params: unknown) => {
      asked.push(params);
      return { context: { slot: SLOT }, value: { byIdentity: {}, range: { firstSlot, lastSlot } } };
    };
    await readFrom({ getBlockProduction }, (reader) => readBlocks(reader, CLOSED));
    expect(asked).toEqual([[{ commitment: "finalized", range: { firstSlot, lastSlot } }]]);
  });

  it.each<[string, unknown, unknown[]]>([
    [
      "those of the identities asked for, in their order",
      { [key(102)]: [4, 0], [key(101)]: [8, 7], [key(9)]: [1, 1] },
      [
        [8, 7],
        [4, 0],
      ],
    ],
    [
      "none of an identity that is not there: it led no slot",
      { [key(102)]: [4, 4] },
      [
        [0, 0],
        [4, 4],
      ],
    ],
    ["unreadable in another shape", { [key(101)]: [8], [key(102)]: null }, [null, null]],
    [
      "unreadable where there are more blocks than slots",
      { [key(101)]: [8, 9], [key(102)]: [-1, 0] },
      [null, null],
    ],
  ])("are %s", async (_, byIdentity, blocks) => {
    expect(await read(byIdentity)).toEqual({ slot: SLOT, blocks });
  });

  it.each([
    ["begin elsewhere", { firstSlot: firstSlot + 1, lastSlot }],
    ["end elsewhere", { firstSlot, lastSlot: lastSlot - 1 }],
    ["are not given", {}],
  ])("are refused where their slots %s", async (_, range) => {
    await expect(read({ [key(101)]: [8, 7] }, { range })).rejects.toMatchObject({ kind: "shape" });
  });
});

describe("a snapshot", () => {
  const look = async (
    nodes: Methods[],
    closed: typeof CLOSED | null,
    network = "mainnet" as "mainnet" | "alpenglow",
  ) => {
    const entry = await snapshotOf(nodes, asking({ closed }), { network });
    expect(snapshotEntrySchema.parse(entry)).toEqual(entry);
    return entry.closedProduction;
  };

  it("keeps what every witness counts, or why it does not", async () => {
    const firedancer = { getBlockProduction: fails(-32_601, "Method not found") };
    const forgotten = { getBlockProduction: fails(-32_602, "firstSlot, 1, is too small; min 2") };
    const late = counting({}, { slot: SLOT - 151 });
    expect(
      await look([counting({ [key(101)]: [8, 7] }), firedancer, forgotten, late], CLOSED),
    ).toMatchObject({
      state: "ok",
      value: {
        ...CLOSED,
        answers: [
          {
            state: "ok",
            slot: SLOT,
            blocks: [
              [8, 7],
              [0, 0],
            ],
          },
          failed("Method not found"),
          failed("too small"),
          failed("over 150 slots before"),
        ],
      },
    });
  });

  it("has failed where no witness counts them", async () => {
    expect(
      await look([{ getBlockProduction: fails(-32_601, "Method not found") }], CLOSED),
    ).toMatchObject(failed("Method not found"));
  });

  it("asks nothing where no missing tip account needs it, or the network has no tips", async () => {
    expect(await look([{}], null)).toEqual({ state: "skipped", off: false });
    expect(await look([{}], CLOSED, "alpenglow")).toEqual({ state: "skipped", off: true });
  });
});
