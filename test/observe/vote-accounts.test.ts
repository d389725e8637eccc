import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { VOTE_PROGRAM } from "../../generator/chain/program-address.ts";
import { decodeVoteAccount, VOTE_ACCOUNT_SLICE_BYTES } from "../../generator/observe/accounts.ts";
import {
  readVoteAccounts,
  parseVoteRow,
  voteRowSchema,
} from "../../generator/observe/vote-accounts.ts";
import { U64_MAX } from "../../generator/rpc/answer.ts";
import { key, readFrom } from "./fixtures.ts";
import { SOAK } from "../soak/soak.ts";

const row = (vote: number, fields: Record<string, unknown> = {}) => ({
  votePubkey: key(vote),
  nodePubkey: key(vote + 100),
  activatedStake: 38_263_229_364_446_901n,
  commission: 8,
  inflationRewardsCommissionBps: 750,
  epochVoteAccount: true,
  epochCredits: [[1040, 1150, 1000]],
  lastVote: 444_700_100,
  rootSlot: 444_700_099,
  ...fields,
});

const read = (current: unknown[], delinquent: unknown[] = []) =>
  readAnswer({ current, delinquent });
const readAnswer = (getVoteAccounts: unknown) => readFrom({ getVoteAccounts }, readVoteAccounts);
const readOne = async (fields: Record<string, unknown>) => (await read([row(1, fields)])).rows[0];

describe("the list of vote accounts", () => {
  it("gives exact rows ordered by vote account, and the largest lastVote as its slot", async () => {
    const votes = await read(
      [row(3, { lastVote: 5 }), row(1, { lastVote: 444_700_200 })],
      [row(2, { lastVote: 0 })],
    );
    expect(votes.slot).toBe(444_700_200);
    const rows = votes.rows.map(({ vote, delinquent }) => [vote, delinquent]);
    expect(rows).toEqual(
      [1, 2, 3]
        .map(key)
        .sort()
        .map((vote) => [vote, vote === key(2)]),
    );
    expect(votes.rows.find(({ vote }) => vote === key(1))).toEqual({
      vote: key(1),
      identity: key(101),
      basisPoints: 750,
      percent: 8,
      delinquent: false,
      activeStake: 38_263_229_364_446_901n,
      inValidatorSet: true,
      credits: [[1040, 1150n, 1000n]],
    });
  });

  it.each([
    ["both", {}, 750, 8],
    ["no basis points (before Agave 4.1)", { inflationRewardsCommissionBps: undefined }, null, 8],
    ["no percent", { commission: undefined }, 750, null],
    ["neither", { commission: undefined, inflationRewardsCommissionBps: undefined }, null, null],
    ["nulls", { commission: null, inflationRewardsCommissionBps: null }, null, null],
    ["rates above all", { commission: 255, inflationRewardsCommissionBps: 65_535 }, 65_535, 255],
    [
      "254 percent, which a live account has",
      { commission: 254, inflationRewardsCommissionBps: undefined },
      null,
      254,
    ],
    [
      "numbers no account can hold",
      { commission: 256, inflationRewardsCommissionBps: -1 },
      null,
      null,
    ],
    ["text", { commission: "8", inflationRewardsCommissionBps: "750" }, null, null],
  ])("reads a commission from a row with %s", async (_, fields, basisPoints, percent) => {
    expect(await readOne(fields)).toMatchObject({ basisPoints, percent });
  });

  const newest = Array.from({ length: 64 }, (_, index) => [236 + index, BigInt(236 + index), 0n]);
  const rows = (...all: unknown[]) => all;
  it.each<[string, unknown[], unknown[]]>([
    [
      "Alpenglow's separator as null",
      rows([42, 7, 5], [U64_MAX, U64_MAX, U64_MAX]),
      rows([42, 7n, 5n], null),
    ],
    [
      "an epoch twice",
      rows([42, 9, 3], [42, 52_000_001_302n, 9]),
      rows([42, 9n, 3n], [42, 52_000_001_302n, 9n]),
    ],
    [
      "those that can be read",
      rows([41, 7, 1], [42], [43, "5", 0], [44, 7, 5]),
      rows([41, 7n, 1n], [44, 7n, 5n]),
    ],
    [
      "the newest 64 of endless ones",
      Array.from({ length: 300 }, (_, epoch) => [epoch, epoch, 0]),
      newest,
    ],
  ])("keeps of the rows of credits, as they are, %s", async (_, epochCredits, credits) => {
    expect(await readOne({ epochCredits })).toMatchObject({ credits });
  });

  it.each([
    ["none", []],
    ["null", null],
    ["a number", 7],
    ["another shape", [{ epoch: 1042, credits: 5 }, [1042], [1042, -1, 0], "1042"]],
  ])("keeps a row whose credits are %s, without credits", async (_, epochCredits) => {
    const votes = await read([row(1, { epochCredits })]);
    expect(votes).toMatchObject({
      unreadable: { count: 0 },
      rows: [{ basisPoints: 750, credits: [] }],
    });
  });

  it("keeps both vote accounts of one identity", async () => {
    const votes = await read([row(1), row(2, { nodePubkey: key(101) })]);
    expect(votes.rows.map(({ identity }) => identity)).toEqual([key(101), key(101)]);
  });

  it.each([
    ["a stake with a fraction", { activatedStake: 1.5 }],
    ["a negative stake", { activatedStake: -1 }],
    ["a vote account of 31 bytes", { votePubkey: "1".repeat(31) }],
    ["no identity", { nodePubkey: null }],
    ["no word on the validator set", { epochVoteAccount: undefined }],
    ["a lastVote beyond all slots", { lastVote: U64_MAX }],
  ])("leaves out and counts a row with %s, and reads the others", async (_, fields) => {
    const votes = await read([row(1, fields), row(2)], [row(3, { lastVote: 5 })]);
    expect(votes.rows.map(({ vote }) => vote)).toEqual([key(2), key(3)].sort());
    const example = expect.stringContaining(Object.keys(fields)[0]!) as string;
    expect(votes).toMatchObject({ slot: 444_700_100, unreadable: { count: 1, example } });
  });

  it("leaves out and counts what is no row at all", async () => {
    expect(await read([null, 7, "row", [], row(1)])).toMatchObject({ unreadable: { count: 4 } });
  });

  it.each([
    ["a missing list", { current: [] }],
    ["a list that is none", { current: {}, delinquent: [] }],
    ["an account in both lists", { current: [row(1)], delinquent: [row(1)] }],
    ["null", null],
  ])("refuses %s", async (_, answer) => {
    await expect(readAnswer(answer)).rejects.toMatchObject({ kind: "shape" });
  });
});

const account = (
  version: number,
  write: (data: Buffer) => void,
  bytes = VOTE_ACCOUNT_SLICE_BYTES,
) => {
  const data = Buffer.alloc(bytes);
  data.writeUInt32LE(version, 0);
  data.fill(9, 4, 36);
  data.fill(8, 36, 68);
  write(data);
  return { owner: VOTE_PROGRAM, data };
};

const initialised = { identity: key(9), withdrawAuthority: key(8) };
const nothing = {
  ...{ exists: true, basisPoints: null, percent: null, identity: null, withdrawAuthority: null },
  blockRevenueBasisPoints: null,
};
const gone = { ...nothing, exists: false };
const empty = () => undefined;

it.each([
  [
    "in layout v1.14.11 a percent",
    account(1, (data) => data.writeUInt8(100, 68)),
    { ...initialised, percent: 100 },
  ],
  [
    "in layout v3 a percent",
    account(2, (data) => data.writeUInt8(100, 68)),
    { ...initialised, percent: 100 },
  ],
  [
    "in v4 points, also of the block revenue",
    account(3, (data) => data.writeUInt32LE(12_345 + 54_321 * 65_536, 132)),
    { ...initialised, basisPoints: 12_345, blockRevenueBasisPoints: 54_321 },
  ],
  ["of an unknown layout nothing", account(4, empty), {}],
  ["never initialised nothing", account(0, empty), {}],
  ["cut short nothing", account(3, empty, 135), {}],
  ["that is not there not even that it exists", null, gone],
  [
    "of another program neither",
    { ...account(3, empty), owner: "11111111111111111111111111111111" },
    gone,
  ],
])("the vote account itself says %s", (_, stored, said) => {
  expect(decodeVoteAccount(stored)).toEqual({ ...nothing, ...said });
});

const KEY = "Vote111111111111111111111111111111111111111";

const odd = fc.constantFrom<unknown>(
  ...[
    undefined,
    null,
    true,
    "5",
    "",
    KEY,
    `${KEY}1`,
    0,
    -0,
    1,
    -1,
    0.5,
    255,
    256,
    65_535,
    65_536,
    NaN,
  ],
  ...[
    2 ** 53,
    -1n,
    0n,
    10n,
    U64_MAX,
    U64_MAX + 1n,
    {},
    [],
    [null],
    [[1, 2, 3]],
    [[1, 2]],
    [[1, 2, 3, 4]],
  ],
  ...[
    [[U64_MAX, U64_MAX, U64_MAX]],
    [[1060, "1", 0]],
    [[-1, 2, 3]],
    [[0.5, 2, 3]],
    [[1n, 2, 3]],
    [[1, U64_MAX, 3n]],
  ],
);

it("a row is read by hand as the schema reads it, whatever stands in it", () => {
  const fields = fc.constantFrom(...Object.keys(row(1)));
  const changes = fc
    .array(fc.tuple(fields, odd), { maxLength: 3 })
    .map((pairs) => Object.fromEntries(pairs));
  let [read, refused] = [0, 0];
  fc.assert(
    fc.property(
      fc.oneof(
        changes.map((fields) => row(1, fields)),
        odd,
      ),
      (value) => {
        const [mine, law] = [parseVoteRow(value), voteRowSchema.safeParse(value)];
        expect(mine.success).toBe(law.success);
        if (mine.success) expect(mine.data).toEqual(law.data);
        if (mine.success) read += 1;
        else refused += 1;
      },
    ),
    { numRuns: 300 * SOAK },
  );
  expect(Math.min(read, refused)).toBeGreaterThan(50);
});
