import { afterEach, describe, expect, it } from "vitest";
import { readValidatorHistory } from "../../../generator/observe/mev/validator-history.ts";
import { key } from "../fixtures.ts";
import type { TestServer } from "../../rpc/rpc-server.ts";
import { startVendor } from "./vendor.ts";

let server: TestServer | undefined;

afterEach(async () => {
  await server?.close();
});

const UNSET = {
  commission: 255,
  mev_commission: 65_535,
  activated_stake_lamports: 2n ** 64n - 1n,
  rank: 4_294_967_295,
};

/** One epoch as the vendor tells it, with more fields than are read. */
const row = (epoch: number, fields: Record<string, unknown> = {}) => ({
  activated_stake_lamports: 16_395_628_327_252_359n,
  epoch,
  mev_commission: 800,
  epoch_credits: 6_500_000,
  commission: 5,
  client_type: "JitoLabs",
  version: "4.2.1",
  rank: 0,
  ...fields,
});

const point = (epoch: number, fields: Record<string, unknown> = {}) => ({
  epoch,
  percent: 5,
  mevBasisPoints: 800,
  activeStake: 16_395_628_327_252_359n,
  rank: 0,
  ...fields,
});

const NOTHING = { percent: null, mevBasisPoints: null, activeStake: null, rank: null };

async function read(answers: unknown[], { path = "", vote = key(1) } = {}) {
  const vendor = await startVendor(answers, '{"vote_account":"","history":[]}');
  server = vendor.server;
  const span = { firstEpoch: 1000, lastEpoch: 1052 };
  return vendor.ask(path, (options, deadline) => readValidatorHistory(options, { vote, ...span, deadline }));
}

const reading = (...history: unknown[]) => read([{ vote_account: key(1), history }]);

describe("a validator's history", () => {
  it("is asked for by vote account, below the base of the vendor's API", async () => {
    await expect(read([{ vote_account: key(1), history: [] }], { path: "/base/?key=1" })).resolves.toEqual([]);
    expect(server?.asked[0]).toMatchObject({ path: `/base/api/v1/validator_history/${key(1)}?key=1`, body: null });
  });

  it("is in the order of the epochs, whatever the order of the ring", async () => {
    await expect(reading(row(1051), row(1052), row(1049), row(1050))).resolves.toEqual(
      [1049, 1050, 1051, 1052].map((epoch) => point(epoch)),
    );
  });

  it("knows nothing where the record has the largest number of a type, and zero where it has zero", async () => {
    const zero = { commission: 0, mev_commission: 0, activated_stake_lamports: 0, rank: 0 };
    const told = await reading(
      row(1040, { commission: 255 }),
      row(1041, { mev_commission: 65_535 }),
      row(1042, { activated_stake_lamports: UNSET.activated_stake_lamports }),
      row(1043, { rank: UNSET.rank }),
      row(1044, zero),
    );
    expect(told).toEqual([
      point(1040, { percent: null }),
      point(1041, { mevBasisPoints: null }),
      point(1042, { activeStake: null }),
      point(1043, { rank: null }),
      point(1044, { percent: 0, mevBasisPoints: 0, activeStake: 0n, rank: 0 }),
    ]);
  });

  it("keeps what is more than all as it was said", async () => {
    await expect(reading(row(1040, { commission: 254, mev_commission: 65_534 }))).resolves.toEqual([
      point(1040, { percent: 254, mevBasisPoints: 65_534 }),
    ]);
  });

  it("leaves out epochs that were not asked for: the running one, those before the span, the empty places of the ring", async () => {
    await expect(reading(row(999), row(1000), row(1052), row(1053), row(65_535, UNSET))).resolves.toEqual([
      point(1000),
      point(1052),
    ]);
  });

  it("leaves out an epoch of which nothing is set", async () => {
    await expect(reading(row(1040, UNSET), row(1041))).resolves.toEqual([point(1041)]);
  });

  it("costs a row that cannot be read that row, and a field that cannot be read that field", async () => {
    const told = await reading(
      null,
      "row",
      { commission: 5 },
      row(1.5),
      row(-1),
      row(1039, { epoch: "1039" }),
      row(1040, { commission: "5", rank: -1 }),
      row(1041, { commission: 5.5, mev_commission: 70_000, activated_stake_lamports: 1.5, rank: null }),
      { epoch: 1042, commission: 7 },
    );
    expect(told).toEqual([point(1040, { percent: null, rank: null }), { epoch: 1042, ...NOTHING, percent: 7 }]);
  });

  it("knows an epoch that is told twice alike, and none that is told in two ways", async () => {
    await expect(reading(row(1040), row(1041), row(1040), row(1041, { commission: 100 }))).resolves.toEqual([
      point(1040),
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
    await expect(read([answer])).rejects.toMatchObject({ name: "RpcError", kind });
  });

  it("is asked for once more after a failure that passes, and not oftener", async () => {
    await expect(read([502, { vote_account: key(1), history: [row(1040)] }])).resolves.toHaveLength(1);
    await server?.close();
    await expect(read([502])).rejects.toThrow(/history of .*HTTP status 502/);
    expect(server?.asked).toHaveLength(2);
  });

  it("that fails never repeats a secret of the address", async () => {
    await expect(read(["my-secret-key is wrong"], { path: "/my-secret-key" })).rejects.toThrow(/^(?!.*my-secret-key)/);
  });
});
