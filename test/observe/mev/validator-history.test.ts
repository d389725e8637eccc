import { afterEach, describe, expect, it } from "vitest";
import { readValidatorHistory } from "../../../generator/observe/mev/validator-history.ts";
import { key } from "../fixtures.ts";
import type { TestServer } from "../../rpc/rpc-server.ts";
import { startVendor } from "./vendor.ts";

let server: TestServer | undefined;
afterEach(() => server?.close());

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

async function read(answers: unknown[], { path = "", vote = key(1) } = {}) {
  await server?.close();
  const vendor = await startVendor(answers, '{"vote_account":"","history":[]}');
  server = vendor.server;
  const span = { firstEpoch: 1000, lastEpoch: 1052 };
  return vendor.ask(path, (options, deadline) => readValidatorHistory(options, { vote, ...span, deadline }));
}

describe("a validator's history", () => {
  it("is asked for by vote account, below the base of the vendor's API", async () => {
    expect(await read([{ vote_account: key(1), history: [] }], { path: "/base/?key=1" })).toEqual([]);
    expect(server?.asked[0]).toMatchObject({ path: `/base/api/v1/validator_history/${key(1)}?key=1`, body: null });
  });

  it.each<[string, unknown[], unknown[]]>([
    ["in the order of the epochs", [row(1051), row(1052), row(1050)], [point(1050), point(1051), point(1052)]],
    ["zero where the record has zero", [row(1044, ZERO)], [{ epoch: 1044, ...NONE_OF_IT }]],
    ["as said, if more than all", [row(1040, MORE_THAN_ALL)], [point(1040, { percent: 254, mevBasisPoints: 65_534 })]],
    ["of those asked", [row(999), row(1000), row(1052), row(1053), row(65_535, UNSET)], [point(1000), point(1052)]],
    ["without an epoch of which nothing is set", [row(1040, UNSET), row(1041)], [point(1041)]],
    [
      "without unreadable rows",
      [null, "row", { commission: 5 }, row(1.5), row(-1), row(0, { epoch: "1039" }), row(1041)],
      [point(1041)],
    ],
    ["without unread fields", [row(1040, { commission: "5", rank: -1 })], [point(1040, { percent: null, rank: null })]],
    ["without an epoch that cannot be read", [row(1041, ODD)], []],
    ["of the fields there are", [{ epoch: 1042, commission: 7 }], [{ epoch: 1042, ...NOTHING, percent: 7 }]],
    ["of no epoch told in two ways", [row(1040), row(1041), row(1040), row(1041, { commission: 100 })], [point(1040)]],
  ])("is %s", async (_, history, points) => {
    expect(await read([{ vote_account: key(1), history }])).toEqual(points);
  });

  it.each([
    ["commission", "percent"],
    ["mev_commission", "mevBasisPoints"],
    ["activated_stake_lamports", "activeStake"],
    ["rank", "rank"],
  ] as const)("knows nothing where %s is the largest number of its type", async (field, name) => {
    const history = [row(1040, { [field]: UNSET[field] })];
    expect(await read([{ vote_account: key(1), history }])).toEqual([point(1040, { [name]: null })]);
  });

  it.each([
    ["status 500 with an empty record", 500, "http"],
    ["status 404", 404, "http"],
    ["an empty record", { vote_account: "", history: [] }, "shape"],
    ["the record of another", { vote_account: key(2), history: [row(1040)] }, "shape"],
    ["no list", { vote_account: key(1), history: {} }, "shape"],
    ["HTML", "<html>", "body"],
  ])("fails for %s", async (_, answer, kind) => {
    await expect(read([answer])).rejects.toMatchObject({ name: "RpcError", kind });
  });

  it("is asked for once more after a failure that passes, and not oftener", async () => {
    expect(await read([502, { vote_account: key(1), history: [row(1040)] }])).toHaveLength(1);
    await expect(read([502])).rejects.toThrow(/history of .*HTTP status 502/);
    expect(server?.asked).toHaveLength(2);
  });

  it("that fails never repeats a secret of the address", async () => {
    await expect(read(["my-secret-key is wrong"], { path: "/my-secret-key" })).rejects.toThrow(/^(?!.*my-secret-key)/);
  });
});
