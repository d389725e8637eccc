import { describe, expect, it } from "vitest";
import { readMev } from "../../../generator/observe/mev/mev-list.ts";
import { key } from "../fixtures.ts";
import { startVendor } from "./vendor.ts";

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

async function ask(answers: unknown[], { path = "" } = {}) {
  const { asked, options } = await startVendor(answers, { failure: '{"validators":[]}', path });
  const rows = await readMev(options, { deadline: options.deadline });
  return { asked, rows };
}

const read = async (...validators: unknown[]) => (await ask([{ validators }])).rows;

/** So many that one odd row is below the share that counts. */
const many = Array.from({ length: 30 }, (_, index) => row(index + 1));
const UNKNOWN = { mevBasisPoints: null, priorityFeeBasisPoints: null, runningBam: null };
const OTHERS = row(1, { running_jito: false });
const TWO_UNREADABLE = [
  ...many,
  row(31, { mev_commission_bps: "800" }),
  row(32, { mev_commission_bps: 8.5 }),
];

describe("the MEV vendor's list", () => {
  it("gives the rows by vote account, each once, of those who run the vendor's client", async () => {
    const rows = await read(
      row(2, { mev_commission_bps: 0 }),
      row(1),
      row(1, { mev_rewards: 0 }),
      OTHERS,
    );
    const known = { priorityFeeBasisPoints: 5_000, runningBam: false };
    const expected = [1, 2].map((vote) => ({
      vote: key(vote),
      mevBasisPoints: vote === 1 ? 800 : 0,
      ...known,
    }));
    expect(rows).toEqual(expected.sort((a, b) => (a.vote < b.vote ? -1 : 1)));
  });

  it("takes what is null or missing as not known", async () => {
    const rows = await read({ vote_account: key(1), mev_commission_bps: null, running_jito: true });
    expect(rows).toEqual([{ vote: key(1), ...UNKNOWN }]);
  });

  it("is asked for without a body, below the path of its address and with its query", async () => {
    const { asked } = await ask([{ validators: [row(1)] }], { path: "/base/?key=1" });
    expect(asked).toMatchObject([
      { method: "GET", path: "/base/api/v1/validators?key=1", body: null },
    ]);
  });

  it.each([
    ["an empty list", { validators: [] }, "body"],
    ["a list of others only", { validators: [OTHERS] }, "body"],
    ["status 500 with an empty list", 500, "http"],
    ["HTML", "<html>", "body"],
    ["more unreadable rows than one of twenty", { validators: TWO_UNREADABLE }, "shape"],
    // Dropped, its row would look like MEV switched off.
    [
      "one vote account that is none",
      { validators: [...many, row(31, { vote_account: "x" })] },
      "shape",
    ],
    [
      "more rows than any cluster has",
      { validators: Array.from({ length: 10_001 }, () => row(1)) },
      "shape",
    ],
    ["another shape", { data: [] }, "shape"],
  ])("fails for %s", async (_, answer, kind) => {
    await expect(ask([answer])).rejects.toMatchObject({ name: "RpcError", kind });
  });

  it.each([
    ["a share that is text", { mev_commission_bps: "800" }],
    ["a share below nothing", { mev_commission_bps: -1 }],
    ["a share beyond any number that is kept", { mev_commission_bps: 65_536 }],
    ["another word for yes", { running_jito: "yes" }],
  ])("keeps a row with %s, and says only that it is there", async (_, fields) => {
    const rows = await read(...many, row(31, fields));
    expect(rows).toHaveLength(31);
    expect(rows).toContainEqual({ vote: key(31), ...UNKNOWN });
  });

  it("believes none of several rows of a validator that disagree, in whatever order", async () => {
    const [one, other] = [row(31), row(31, { mev_commission_bps: 0 })];
    const orders = [
      [...many, one, other, one],
      [one, other, one, ...many],
      [other, ...many, one],
    ];
    for (const validators of orders)
      expect(await read(...validators)).toContainEqual({ vote: key(31), ...UNKNOWN });
  });

  it("is asked again after a failure that passes", async () => {
    const { asked, rows } = await ask([500, { validators: [] }, { validators: [row(1)] }]);
    expect([asked, rows]).toMatchObject([{ length: 3 }, { length: 1 }]);
  });
});
