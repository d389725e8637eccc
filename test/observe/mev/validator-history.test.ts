import { describe, expect, it } from "vitest";
import { readValidatorHistory } from "../../../generator/observe/mev/validator-history.ts";
import { key } from "../fixtures.ts";
import { startVendor } from "./vendor.ts";

const UNSET = {
  commission: 255,
  mev_commission: 65_535,
  activated_stake_lamports: 2n ** 64n - 1n,
  rank: 4_294_967_295,
};

const STAKE = 16_395_628_327_252_359n;
/** With more fields than are read. */
const row = (epoch: number, fields: Record<string, unknown> = {}) => ({
  ...{ activated_stake_lamports: STAKE, epoch, mev_commission: 800, commission: 5, rank: 0 },
  ...{ epoch_credits: 6_500_000, client_type: "JitoLabs", version: "4.2.1" },
  ...fields,
});
const point = (epoch: number, fields: Record<string, unknown> = {}) => ({
  ...{ epoch, percent: 5, mevBasisPoints: 800, activeStake: STAKE, rank: 0 },
  ...fields,
});
const NOTHING = { percent: null, mevBasisPoints: null, activeStake: null, rank: null };
const MORE_THAN_ALL = { commission: 254, mev_commission: 65_534 };
const ODD = { commission: 5.5, mev_commission: 70_000, activated_stake_lamports: 1.5, rank: null };
const NONE_OF_IT = { percent: 0, mevBasisPoints: 0, activeStake: 0n, rank: 0 };
const ZERO = { commission: 0, mev_commission: 0, activated_stake_lamports: 0, rank: 0 };

async function ask(answers: unknown[], path = "") {
  const { asked, options } = await startVendor(answers, {
    failure: '{"vote_account":"","history":[]}',
    path,
  });
  const request = { vote: key(1), firstEpoch: 1000, lastEpoch: 1052, deadline: options.deadline };
  return { asked, reading: readValidatorHistory(options, request) };
}

const read = async (history: unknown[]) => (await ask([{ vote_account: key(1), history }])).reading;

describe("a validator's history", () => {
  it("is asked for by vote account, below the base of the vendor's API", async () => {
    const { asked, reading } = await ask([{ vote_account: key(1), history: [] }], "/base/?key=1");
    expect(await reading).toEqual([]);
    expect(asked).toMatchObject([
      { path: `/base/api/v1/validator_history/${key(1)}?key=1`, body: null },
    ]);
  });

  it.each<[string, unknown[], unknown[]]>([
    [
      "in the order of the epochs",
      [row(1051), row(1052), row(1050)],
      [point(1050), point(1051), point(1052)],
    ],
    ["zero where the record has zero", [row(1044, ZERO)], [{ epoch: 1044, ...NONE_OF_IT }]],
    [
      "as said, if more than all",
      [row(1040, MORE_THAN_ALL)],
      [point(1040, { percent: 254, mevBasisPoints: 65_534 })],
    ],
    [
      "of those asked",
      [row(999), row(1000), row(1052), row(1053), row(65_535, UNSET)],
      [point(1000), point(1052)],
    ],
    ["without an epoch of which nothing is set", [row(1040, UNSET), row(1041)], [point(1041)]],
    [
      "without unreadable rows",
      [null, "row", { commission: 5 }, row(1.5), row(-1), row(0, { epoch: "1039" }), row(1041)],
      [point(1041)],
    ],
    [
      "without unread fields",
      [row(1040, { commission: "5", rank: -1 })],
      [point(1040, { percent: null, rank: null })],
    ],
    ["without an epoch that cannot be read", [row(1041, ODD)], []],
    [
      "of the fields there are",
      [{ epoch: 1042, commission: 7 }],
      [{ epoch: 1042, ...NOTHING, percent: 7 }],
    ],
    [
      "of no epoch with two values",
      [row(1040), row(1041), row(1040), row(1041, { commission: 100 })],
      [point(1040)],
    ],
  ])("is %s", async (_, history, points) => {
    expect(await read(history)).toEqual(points);
  });

  it.each([
    ["commission", "percent"],
    ["mev_commission", "mevBasisPoints"],
    ["activated_stake_lamports", "activeStake"],
    ["rank", "rank"],
  ] as const)("knows nothing where %s is the largest number of its type", async (field, name) => {
    expect(await read([row(1040, { [field]: UNSET[field] })])).toEqual([
      point(1040, { [name]: null }),
    ]);
  });

  it.each([
    ["status 500 with an empty record", 500, "http"],
    ["status 404", 404, "http"],
    ["an empty record", { vote_account: "", history: [] }, "shape"],
    ["the record of another", { vote_account: key(2), history: [row(1040)] }, "shape"],
    ["no list", { vote_account: key(1), history: {} }, "shape"],
    ["HTML", "<html>", "body"],
  ])("fails for %s", async (_, answer, kind) => {
    await expect((await ask([answer])).reading).rejects.toMatchObject({ name: "RpcError", kind });
  });

  it("is asked for once more after a failure that passes, and not oftener", async () => {
    expect(
      await (
        await ask([502, { vote_account: key(1), history: [row(1040)] }])
      ).reading,
    ).toHaveLength(1);
    const { asked, reading } = await ask([502]);
    await expect(reading).rejects.toThrow(/history of .*HTTP status 502/);
    expect(asked).toHaveLength(2);
  });

  it("that fails never repeats a secret of the address", async () => {
    const { reading } = await ask(["my-secret-key is wrong"], "/my-secret-key");
    await expect(reading).rejects.toThrow(/^(?!.*my-secret-key)/);
  });
});
