import { describe, expect, it } from "vitest";
import { readIssuance, SLOT_TIME_FEATURES } from "../../generator/observe/issuance.ts";
import type { Methods } from "../rpc/rpc-server.ts";
import { failure } from "./calling.ts";
import { EPOCH, SLOT } from "./cluster.ts";
import { key, readFrom } from "./fixtures.ts";
import { entryOf, failed, observe, observeHanging, WHOLE } from "./observing.ts";

const FIRST_SLOT = SLOT - 104_123;
const SUPPLY = 623_456_789_012_345_678n;

/** Active from a slot on; null: not yet. */
function feature(
  activatedAt: bigint | null,
  owner = "Feature111111111111111111111111111111111111",
) {
  const data = Buffer.alloc(9);
  if (activatedAt !== null) {
    data[0] = 1;
    data.writeBigUInt64LE(activatedAt, 1);
  }
  return { owner, data: [data.toString("base64"), "base64"], lamports: 953_520 };
}

const accounts = (...value: unknown[]): Methods => ({
  getMultipleAccounts: { context: { slot: SLOT }, value },
});

const NODE: Methods = {
  getInflationRate: { epoch: EPOCH, total: 0.0401, validator: 0.0385, foundation: 0.0016 },
  getSupply: {
    context: { slot: SLOT },
    value: { total: SUPPLY, circulating: 1, nonCirculating: 0, nonCirculatingAccounts: [] },
  },
  ...accounts(feature(440_208_000n), feature(441_936_000n), feature(null), null),
};

const read = (changes: Methods = {}) =>
  readFrom({ ...NODE, ...changes }, (reader) =>
    readIssuance(reader, { epoch: EPOCH, epochFirstSlot: FIRST_SLOT }),
  );

describe("inflation and supply", () => {
  it("are read exactly, with the features that shorten slots", async () => {
    expect(await read()).toEqual({
      validatorRate: 0.0385,
      slot: SLOT,
      supply: SUPPLY,
      slotTimes: [
        [350, 440_208_000],
        [300, 441_936_000],
      ],
    });
  });

  it("are asked for without the list of accounts that do not circulate, and of the features by name", async () => {
    const asked: Record<string, unknown> = {};
    const spyOn = (method: string) => (params: unknown) => {
      asked[method] = params;
      return NODE[method];
    };
    await read({
      getSupply: spyOn("getSupply"),
      getMultipleAccounts: spyOn("getMultipleAccounts"),
    });
    const features = SLOT_TIME_FEATURES.map(([name]) => name);
    expect(asked["getSupply"]).toEqual([
      { commitment: "finalized", excludeNonCirculatingAccountsList: true },
    ]);
    expect(asked["getMultipleAccounts"]).toMatchObject([
      features,
      { dataSlice: { offset: 0, length: 9 } },
    ]);
  });

  it.each<[string, unknown]>([
    ["another program's", feature(1n, key(3))],
    ["cut short", { ...feature(1n), data: [Buffer.from([1, 0]).toString("base64"), "base64"] }],
    ["active from no slot that there can be", feature(2n ** 60n)],
  ])("count no feature whose account is %s", async (_, account) => {
    expect((await read(accounts(account, null, null, null))).slotTimes).toEqual([]);
  });

  it.each<[string, string, Methods]>([
    ["of another epoch", "behind", { getInflationRate: { epoch: EPOCH - 1, validator: 0.04 } }],
    [
      "of a slot before the epoch",
      "behind",
      { getSupply: { context: { slot: FIRST_SLOT - 1 }, value: { total: 1 } } },
    ],
    [
      "with a rate above all there is",
      "shape",
      { getInflationRate: { epoch: EPOCH, validator: 1.01 } },
    ],
    [
      "with less than no supply",
      "shape",
      { getSupply: { context: { slot: SLOT }, value: { total: -1 } } },
    ],
  ])("are refused %s", async (_, kind, changes) => {
    expect((await failure(read(changes))).kind).toBe(kind);
  });
});

describe("a snapshot", () => {
  it("asks every witness for inflation and supply, and says who could not answer", async () => {
    const { observer } = await observe([{}, NODE]);
    const { issuance } = entryOf(await observer.snapshot(WHOLE));
    const answered = { state: "ok", slot: SLOT, supply: SUPPLY, validatorRate: 0.0385 };
    const value = { epoch: EPOCH, answers: [failed("getInflationRate"), answered] };
    expect(issuance).toMatchObject({ state: "ok", value });
  });

  it("waits a third of its time at most for a witness that hangs", async () => {
    const { observer, clock } = await observeHanging([NODE, NODE, NODE], {
      hangs: (position, method) => position === 0 && method === "getSupply",
    });
    const startedAt = clock.now();
    const { issuance } = entryOf(await observer.snapshot(WHOLE));
    const answers = [{ state: "failed" }, { state: "ok" }, { state: "ok" }];
    expect(issuance).toMatchObject({ state: "ok", value: { answers } });
    expect(clock.now() - startedAt).toBeLessThan(30_000);
  });
});
