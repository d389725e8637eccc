import { describe, expect, it } from "vitest";
import { RpcFailure } from "../../cluster/rpc/failure.ts";
import { CLOCK, type Methods } from "../../rpc/rpc-server.ts";
import { checkNodes, nodeWithout, wellNode } from "./node.ts";

const well = wellNode();

it.each([
  [
    "1",
    /^warning witnesses: 1 of 1 .*: not guarded against its lies → Give MAINNET_RPC_URLS .*three or four/,
  ],
  [
    "11",
    /^warning witnesses: 2 of 2 .*: if one of them lies, nothing false is published, but changes wait → Give/,
  ],
  ["111", /^ok witnesses: 3 of 3 origins can be used: one of them may lie$/],
  ["1111", /^ok witnesses: 4 of 4 .*: one of them may lie$/],
  ["0", /^problem witnesses: 0 of 1 .*: nothing is observed → The lines above say why/],
  [
    "100",
    /^problem witnesses: 1 of 3 .*: no change can be confirmed until 2 can → .*repair them or replace them/,
  ],
  ["1100", /^problem witnesses: 2 of 4 .*: no change can be confirmed until 3 can/],
  ["10", /^warning witnesses: 1 of 2 .*: not guarded against its lies → The lines/],
  [
    "110",
    /^warning witnesses: 2 of 3 .*: if one of them lies, nothing false is published, but changes wait → The lines/,
  ],
  // The fifth origin is no witness.
  ["11110", /^ok witnesses: 4 of 4 /],
  ["01111", /^warning witnesses: 3 of 4 /],
])("of witnesses, those with 1 can be used: %s", async (digits, expected) => {
  const nodes = Array.from(digits, (digit) =>
    digit === "1" ? well : nodeWithout("getVoteAccounts"),
  );
  expect(await checkNodes(nodes)).toContainEqual(expect.stringMatching(expected));
});

describe("the clock", () => {
  const NOW = Date.UTC(2026, 10, 20, 12);

  /** By endpoints whose Date headers say that we are so far ahead (null: no header). */
  async function judgeOf(
    ahead: (number | null)[],
    age: number | null = 15_000,
  ): Promise<string | undefined> {
    const getBlockTime = age === null ? undefined : (NOW - age) / 1000;
    const nodes = ahead.map((off) => ({
      ...wellNode({ getBlockTime }),
      // Half a second further on average.
      ...(off !== null && { [CLOCK]: () => NOW - off - 500 }),
    }));
    return (await checkNodes(nodes, () => NOW)).find((line) => line.includes(" clock: "));
  }

  it.each<[(number | null)[], RegExp]>([
    [
      [4_500],
      /^ok clock: 4\.\d s ahead of the endpoints, 15\.0 s after the newest finalized block$/,
    ],
    [[9_500], /^warning clock: 9\.\d s ahead of .* → Set this machine's clock by NTP/],
    [[-60_500], /^problem clock: 6\d\.\d s behind the endpoints/],
    [[500, -900_500, 500], /^ok /],
    [[500, null, 90_500, 90_500], /^problem clock: 9\d\.\d s ahead/],
    [[null], /^ok clock: no endpoint gives its time, 15\.0 s after/],
  ])("%j ms ahead of the endpoints is judged by most of them", async (ahead, expected) => {
    expect(await judgeOf(ahead)).toMatch(expected);
  });

  it.each<[number | null, RegExp]>([
    [35_000, /^ok clock: .*, 35\.0 s after the newest finalized block$/],
    [36_000, /^warning .*, 36\.0 s after .* → .* the cluster or the endpoint stands still/],
    [91_000, /^problem /],
    [-4_000, /^ok .*, 4\.0 s behind the newest finalized block$/],
    [-6_000, /^warning /],
    [-61_000, /^problem /],
    [null, /^ok clock: no endpoint gives its time$/],
  ])(
    "is judged by a newest finalized block %s ms ago: finality takes half a minute at most",
    async (age, expected) => {
      expect(await judgeOf([null], age)).toMatch(expected);
    },
  );
});

describe("the side sources", () => {
  it("are all open on a node that can do everything", async () => {
    expect((await checkNodes([well])).at(-1)).toMatch(
      /^ok other sources: vote accounts, gossip, .*, rent, proofs$/,
    );
  });

  it.each([
    ["vote accounts", ["getMultipleAccounts"], "Withdraw authorities"],
    ["gossip", ["getClusterNodes"], "Versions, clients and locations"],
    ["block production", ["getBlockProduction"], "switched MEV off"],
    ["validator info", ["getProgramAccounts"], "Names, icons and websites"],
    [
      "stake accounts",
      ["getProgramAccounts", "getProgramAccountsV2"],
      "in or out will stay unknown",
    ],
    ["slot time", ["getRecentPerformanceSamples"], "estimate an epoch.s end"],
    ["epoch schedule", ["getEpochSchedule"], "past epochs"],
    ["alpenglow certificate", ["getAgGenesisCert"], "lamports"],
    ["inflation rate", ["getInflationRate"], "costs its delegators"],
    ["supply", ["getSupply"], "costs its delegators"],
    ["proofs", ["getSignaturesForAddress"], "with gaps or not at all"],
    ["proofs", ["getFirstAvailableBlock"], "--enable-rpc-transaction-history"],
  ])("%s: where %s is refused by all, what that costs is said", async (subject, methods, cost) => {
    const expected = new RegExp(
      `^warning ${subject}: #0 ${methods[0]}.*-32601.* → .*${cost}.*MAINNET_RPC_URLS`,
    );
    expect(await checkNodes([nodeWithout(...methods)])).toContainEqual(
      expect.stringMatching(expected),
    );
  });

  const withoutBlocks = nodeWithout("getBlockProduction");
  const withoutSupply = nodeWithout("getSupply");
  const getTransaction = () => {
    throw new RpcFailure(-32_011, "Transaction history is not available from this node");
  };
  const without = wellNode({ getTransaction });
  const whole = wellNode({ getFirstAvailableBlock: 1_000_000 - 432_000 });
  const brief = wellNode({ getFirstAvailableBlock: 1_000_000 - 432_000 + 1 });

  it.each<[string, Methods[], RegExp]>([
    [
      "another endpoint offers what one refuses",
      [nodeWithout("getClusterNodes"), well],
      /^ok .* gossip/,
    ],
    [
      "the supply is served by one witness of three",
      [well, withoutSupply, withoutSupply],
      /^warning supply: #1 .*; #2 .* → .*serve getSupply to 2 of the witnesses, the first four of MAINNET_RPC_URLS/,
    ],
    [
      "blocks are counted by one witness of three",
      [well, withoutBlocks, withoutBlocks],
      /^warning block production: #1 .*; #2 .* → .*serve getBlockProduction to 2 of the witnesses/,
    ],
    [
      "one witness of three can be used, and serves the supply",
      [well, nodeWithout("getVoteAccounts"), nodeWithout("getVoteAccounts")],
      /^warning supply: too few witnesses can be used → .*serve getSupply to 2 of the witnesses/,
    ],
    ["the supply is served by one of two", [well, withoutSupply], /^ok .* supply/],
    [
      "pages are offered in place of the whole",
      [nodeWithout("getProgramAccounts")],
      /^ok .* stake accounts/,
    ],
    ["proofs rest on one witness's word", [whole], /^ok .* proofs$/],
    [
      "proofs lack an epoch",
      [brief],
      /^warning proofs: #0 keeps less than an epoch of .*, from slot 568001 on →/,
    ],
    [
      "proofs need both of two",
      [whole, without],
      /^warning proofs: #1 getTransaction: error -32011.* to 2 of/,
    ],
    ["proofs need two of three", [whole, without, whole], /^ok .* proofs$/],
    [
      "proofs need three of four",
      [whole, whole, without, without],
      /^warning proofs: .* serve .* to 3 of the/,
    ],
    [
      "proofs are counted of the first four",
      [without, without, without, whole, whole, whole],
      /^warning proofs: /,
    ],
    [
      "proofs count who cannot be used",
      [whole, wellNode({ getGenesisHash: null })],
      /^warning proofs: .* to 2 of/,
    ],
  ])("where %s have a finding that says so", async (_, nodes, expected) => {
    expect(await checkNodes(nodes)).toContainEqual(expect.stringMatching(expected));
  });
});
