import { describe, expect, it } from "vitest";
import { assertNotLatest, readMev } from "../../../generator/observe/mev/mev.ts";
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

async function ask(answers: unknown[], { epoch = null as number | null, path = "" } = {}) {
  const { asked, options } = await startVendor(answers, { failure: '{"validators":[]}', path });
  const { rows, marks } = await readMev(options, { epoch, deadline: options.deadline });
  return { asked, rows, marks };
}

const read = async (...validators: unknown[]) => (await ask([{ validators }])).rows;

/** So many that one odd row is below the share that counts. */
const many = Array.from({ length: 30 }, (_, index) => row(index + 1));
const UNKNOWN = { mevBasisPoints: null, priorityFeeBasisPoints: null, runningBam: null };
const OTHERS = row(1, { running_jito: false });
const TWO_UNREADABLE = [...many, row(31, { mev_commission_bps: "800" }), row(32, { mev_commission_bps: 8.5 })];

describe("the MEV vendor's list", () => {
  it("gives the rows by vote account, each once, of those who run the vendor's client", async () => {
    const rows = await read(row(2, { mev_commission_bps: 0 }), row(1), row(1, { mev_rewards: 0 }), OTHERS);
    const known = { priorityFeeBasisPoints: 5_000, runningBam: false };
    const expected = [1, 2].map((vote) => ({ vote: key(vote), mevBasisPoints: vote === 1 ? 800 : 0, ...known }));
    expect(rows).toEqual(expected.sort((a, b) => (a.vote < b.vote ? -1 : 1)));
  });

  it("takes what is null or missing as not known", async () => {
    const rows = await read({ vote_account: key(1), mev_commission_bps: null, running_jito: true });
    expect(rows).toEqual([{ vote: key(1), ...UNKNOWN }]);
  });

  it("is asked for without a body when it is the latest, and with the epoch when it is a closed one", async () => {
    const latest = await ask([{ validators: [row(1)] }]);
    expect(latest.asked).toMatchObject([{ method: "GET", path: "/api/v1/validators", body: null }]);
    const { asked } = await ask([{ validators: [row(1)] }], { epoch: 1052, path: "/base/?key=1" });
    expect(asked).toMatchObject([{ method: "POST", path: "/base/api/v1/validators?key=1", body: { epoch: 1052 } }]);
  });

  it.each([
    ["an empty list", { validators: [] }, "body"],
    ["a list of others only", { validators: [OTHERS] }, "body"],
    ["status 500 with an empty list", 500, "http"],
    ["HTML", "<html>", "body"],
    ["more unreadable rows than one of twenty", { validators: TWO_UNREADABLE }, "shape"],
    // Dropped, its row would look like MEV switched off.
    ["one vote account that is none", { validators: [...many, row(31, { vote_account: "x" })] }, "shape"],
    ["more rows than any cluster has", { validators: Array.from({ length: 10_001 }, () => row(1)) }, "shape"],
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
    for (const validators of orders) expect(await read(...validators)).toContainEqual({ vote: key(31), ...UNKNOWN });
  });

  it("is asked again after a failure that passes", async () => {
    const { asked, rows } = await ask([500, { validators: [] }, { validators: [row(1)] }]);
    expect([asked, rows]).toMatchObject([{ length: 3 }, { length: 1 }]);
  });
});

describe("the list of a closed epoch", () => {
  const listOf = (fields: (vote: number) => Record<string, unknown>) =>
    ask([{ validators: [1, 2, 3, 4].map((vote) => row(vote, fields(vote))) }]);
  const latestFields = { mev_rewards: 0 };

  it.each([{ mev_rewards: 5 }, { active_stake: 7, mev_rewards: 0 }])(
    "is another one than the latest when most records have another stake or other rewards: %o",
    async (fields) => {
      const closed = await listOf((vote) => (vote === 1 ? latestFields : fields));
      const latest = await listOf(() => latestFields);
      expect(() => assertNotLatest(closed, latest)).not.toThrow();
    },
  );

  it.each([
    ["half of its records are those of the latest list", (vote: number) => ({ mev_rewards: vote <= 2 ? 0 : 5 })],
    ["all of them are", () => latestFields],
    ["they carry nothing to tell them apart by", () => ({ mev_rewards: undefined, active_stake: undefined })],
  ])("is not believed when %s", async (_, fields) => {
    const closed = await listOf(fields);
    const latest = await listOf((vote) => (fields(vote).mev_rewards === undefined ? fields(vote) : latestFields));
    expect(() => assertNotLatest(closed, latest)).toThrow("looks like the latest one");
  });
});
