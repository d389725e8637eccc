import { afterEach, describe, expect, it } from "vitest";
import { assertNotLatest, readMev, type MevList } from "../../../generator/observe/mev/mev.ts";
import { key } from "../fixtures.ts";
import type { TestServer } from "../../rpc/rpc-server.ts";
import { startVendor } from "./vendor.ts";

let server: TestServer | undefined;

afterEach(async () => {
  await server?.close();
});

const row = (vote: number, fields: Record<string, unknown> = {}) => ({
  identity_account: key(vote + 100),
  vote_account: key(vote),
  mev_commission_bps: 800,
  mev_rewards: 12_345_678_901,
  priority_fee_commission_bps: 5_000,
  running_jito: true,
  running_bam: false,
  active_stake: 16_395_628_327_252_359n,
  ...fields,
});

async function readList(answers: unknown[], { epoch = null as number | null, path = "" } = {}) {
  const vendor = await startVendor(answers, '{"validators":[]}');
  server = vendor.server;
  return vendor.ask(path, (options, deadline) => readMev(options, { epoch, deadline }));
}

async function read(...parameters: Parameters<typeof readList>) {
  return (await readList(...parameters)).rows;
}

/** So many rows that one of them is not a share of them that counts. */
const many = Array.from({ length: 30 }, (_, index) => row(index + 1));
const unknown = (vote: number) => ({
  vote: key(vote),
  mevBasisPoints: null,
  priorityFeeBasisPoints: null,
  runningBam: null,
});

describe("the MEV vendor's list", () => {
  it("gives the rows by vote account, each once", async () => {
    const rows = await read([
      { validators: [row(2, { mev_commission_bps: 10_000 }), row(1), row(1, { mev_rewards: 0 })] },
    ]);
    const expected = [
      { vote: key(1), mevBasisPoints: 800, priorityFeeBasisPoints: 5_000, runningBam: false },
      { vote: key(2), mevBasisPoints: 10_000, priorityFeeBasisPoints: 5_000, runningBam: false },
    ];
    expect(rows).toEqual(expected.sort((a, b) => (a.vote < b.vote ? -1 : 1)));
  });

  it("leaves out who does not run the vendor's client", async () => {
    await expect(read([{ validators: [row(1), row(2, { running_jito: false })] }])).resolves.toMatchObject([
      { vote: key(1) },
    ]);
  });

  it("takes what is null or missing as not known", async () => {
    const bare = { vote_account: key(1), mev_commission_bps: null, running_jito: true };
    await expect(read([{ validators: [bare] }])).resolves.toEqual([
      { vote: key(1), mevBasisPoints: null, priorityFeeBasisPoints: null, runningBam: null },
    ]);
  });

  it("is asked for without a body when it is the latest, and with the epoch when it is a closed one", async () => {
    await read([{ validators: [row(1)] }]);
    expect(server?.asked[0]).toMatchObject({ path: "/api/v1/validators", body: null });
    await server?.close();
    await read([{ validators: [row(1)] }], { epoch: 1052, path: "/base/?key=1" });
    expect(server?.asked[0]).toMatchObject({ path: "/base/api/v1/validators?key=1", body: { epoch: 1052 } });
  });

  it.each([
    ["an empty list", { validators: [] }, "body"],
    ["a list of others only", { validators: [row(1, { running_jito: false })] }, "body"],
    ["status 500 with an empty list", 500, "http"],
    ["HTML", "<html>", "body"],
    [
      "more unreadable rows than one of twenty",
      { validators: [...many, row(31, { mev_commission_bps: "800" }), row(32, { mev_commission_bps: 8.5 })] },
      "shape",
    ],
    [
      "one vote account that is none, for a dropped row would look like MEV switched off",
      { validators: [...many, row(31, { vote_account: "x" })] },
      "shape",
    ],
    ["another shape", { data: [] }, "shape"],
  ])("fails for %s", async (_, answer, kind) => {
    await expect(read([answer])).rejects.toMatchObject({ name: "RpcError", kind });
  });

  it.each([
    ["a share that is text", { mev_commission_bps: "800" }],
    ["a share below nothing", { mev_commission_bps: -1 }],
    ["a share beyond any number that is kept", { mev_commission_bps: 65_536 }],
    ["another word for yes", { running_jito: "yes" }],
  ])("keeps a row with %s, and says only that it is there", async (_, fields) => {
    const rows = await read([{ validators: [...many, row(31, fields)] }]);
    expect(rows).toHaveLength(31);
    expect(rows.find(({ vote }) => vote === key(31))).toEqual(unknown(31));
  });

  it("believes none of several rows of a validator that disagree, in whatever order", async () => {
    const rows = [row(31), row(31, { mev_commission_bps: 0 }), row(31)];
    for (const validators of [
      [...many, ...rows],
      [...rows.toReversed(), ...many],
      [rows[1], ...many, rows[0]],
    ]) {
      const found = await read([{ validators }]);
      expect(found.find(({ vote }) => vote === key(31))).toEqual(unknown(31));
      await server?.close();
    }
  });

  it("is asked again after a failure that passes", async () => {
    await expect(read([500, { validators: [] }, { validators: [row(1)] }])).resolves.toHaveLength(1);
    expect(server?.asked).toHaveLength(3);
  });
});

describe("the list of a closed epoch", () => {
  const listOf = async (fields: (vote: number) => Record<string, unknown>): Promise<MevList> => {
    const list = await readList([{ validators: [1, 2, 3, 4].map((vote) => row(vote, fields(vote))) }]);
    await server?.close();
    return list;
  };
  const cannotTell = "cannot be told from the latest";

  it("is another one than the latest when most records have another stake or other rewards", async () => {
    const latest = await listOf(() => ({ mev_rewards: 0 }));
    for (const fields of [{ mev_rewards: 5 }, { active_stake: 7, mev_rewards: 0 }]) {
      const closed = await listOf((vote) => (vote === 1 ? { mev_rewards: 0 } : fields));
      expect(() => assertNotLatest(closed, latest)).not.toThrow();
    }
  });

  it("is not believed when half of its records are those of the latest list", async () => {
    const latest = await listOf(() => ({ mev_rewards: 0 }));
    const closed = await listOf((vote) => ({ mev_rewards: vote <= 2 ? 0 : 5 }));
    expect(() => assertNotLatest(closed, latest)).toThrow(cannotTell);
    expect(() => assertNotLatest(latest, latest)).toThrow(cannotTell);
  });

  it("is not believed when the records carry nothing to tell them apart by", async () => {
    const bare = await listOf(() => ({ mev_rewards: undefined, active_stake: undefined }));
    expect(() => assertNotLatest(bare, bare)).toThrow(cannotTell);
  });
});
