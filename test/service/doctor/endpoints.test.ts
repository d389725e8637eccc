import { describe, expect, it } from "vitest";
import { judgeCapabilities } from "../../../generator/service/doctor/capabilities.ts";
import { judgeEndpoints } from "../../../generator/service/doctor/endpoints.ts";
import { key } from "../../observe/fixtures.ts";
import { RpcFailure, startNode, startOrigin, startServer, type Methods } from "../../rpc/rpc-server.ts";
import { examineAddresses, examineNodes, judge, nodeWithout, spyOn, told, VOTE_ROW, wellNode } from "./node.ts";

const TESTNET = "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY";
const at = (absoluteSlot: number) =>
  wellNode({ getEpochInfo: { epoch: 1060, slotIndex: 999, slotsInEpoch: 432_000, absoluteSlot } });
const of = (getGenesisHash: string) => wellNode({ getGenesisHash });
const getHealth = () => {
  throw new RpcFailure(-32_005, "Node is behind by 999 slots");
};
/** As before Agave 4.1. */
const old = wellNode({
  getVoteAccounts: { current: [{ ...VOTE_ROW, inflationRewardsCommissionBps: undefined }], delinquent: [] },
});

describe("an endpoint", () => {
  it.each<[string, Methods, RegExp]>([
    [
      "is well",
      wellNode(),
      /^ok http:\/\/127\.0\.0\.1:\d+#1: version 4\.2\.1, epoch 1060, slot 1,000,000, 1 vote accounts in \d+ ms$/,
    ],
    ["offers no getHealth", nodeWithout("getHealth"), /^ok /],
    ["is 150 slots behind", at(999_850), /^ok .*\(150 slots behind most witnesses\)/],
    ["is 151 behind", at(999_849), /^warning .*: 151 slots behind where most witnesses are → .* counts for nothing/],
    ["is of another cluster", of(TESTNET), /: testnet, not mainnet → Take it out of MAINNET_RPC_URLS/],
    ["is of one that began anew", of(key(9)), new RegExp(`: genesis ${key(9)}, not mainnet → .*--new-series`)],
    ["says that it is behind", wellNode({ getHealth }), /^warning .*: getHealth: .*behind by 999 slots → .*caught up/],
    ["lists no vote accounts", nodeWithout("getVoteAccounts"), /^warning .*: getVoteAccounts: .*-32601.* → .*Agave/],
  ])("that %s, beside one that is well, is told so", async (_, node, expected) => {
    expect(told(judge(await examineNodes([wellNode(), node])).findings[1]!)).toMatch(expected);
  });

  it.each<[string, Methods[], string]>([
    ["is far ahead: it makes no other look behind", [wellNode(), at(9e6), wellNode()], "ok warning ok"],
    [
      "is of another cluster that is further on: neither does that",
      [wellNode(), { ...at(9e6), getGenesisHash: TESTNET }],
      "ok warning",
    ],
    ["cannot be used, and no other can: a problem", [nodeWithout("getVoteAccounts"), of(TESTNET)], "problem problem"],
  ])("that %s", async (_, nodes, levels) => {
    const { findings } = judge(await examineNodes(nodes));
    expect(findings.map(({ level }) => level).join(" ")).toBe(levels);
  });

  it("that stands behind an address of several has one slot counted for all of them, that of the first", async () => {
    const [several, alone] = [await startOrigin([at(9e6), wellNode(), wellNode()]), await startNode(wellNode())];
    try {
      const addresses = [...["0", "1", "2"].map((path) => `${several.url}/${path}`), alone.url];
      const { panel } = judge(await examineAddresses(addresses));
      expect(panel.usable.map(({ epoch }) => epoch.value?.absoluteSlot)).toEqual([9e6]);
    } finally {
      await Promise.all([several.close(), alone.close()]);
    }
  });

  it("that is not there is told without what its address hides", async () => {
    const server = await startServer(() => undefined);
    await server.close();
    expect(told(judge(await examineAddresses([`${server.url}/hunter2`])).findings[0]!)).toBe(
      `problem ${server.url}#0: getGenesisHash: ECONNREFUSED → Nothing listens there: check host and port, and whether the node runs.`,
    );
  });

  it.each([
    [401, "check the key in its address"],
    [403, "check the key in its address"],
    [404, "No JSON-RPC"],
    [429, "allows no more requests"],
    [503, "out of service"],
  ])("that answers with HTTP status %s comes with what to do", async (status, advice) => {
    const server = await startServer((_, response) => {
      response.writeHead(status, { "retry-after": "3600" }).end("<html>No.</html>");
    });
    try {
      const [finding] = judge(await examineAddresses([server.url])).findings;
      expect(told(finding!)).toMatch(new RegExp(`^problem .*${status}.* → .*${advice}`));
    } finally {
      await server.close();
    }
  });

  it("that tells the first genesis decides where none is known", async () => {
    const examinations = await examineNodes([of(key(7)), wellNode()]);
    const { panel, findings } = judgeEndpoints("alpenglow", null, examinations);
    expect(panel.usable.map(({ label }) => label.slice(-2))).toEqual(["#0"]);
    expect(findings[1]!.found).toBe(`another cluster: mainnet, not genesis ${key(7)}`);
  });
});

describe("the side sources", () => {
  const judgeSides = async (...nodes: Methods[]) => judgeCapabilities(judge(await examineNodes(nodes)).panel).map(told);

  it("are all open on a node that can do everything", async () => {
    expect(await judgeSides(wellNode())).toEqual([
      "ok basis points: commissions come in basis points",
      expect.stringMatching(/^ok other sources: second readings, gossip, .*, supply, rent$/),
    ]);
  });

  it.each([
    ["second readings", ["getMultipleAccounts"], "later observation"],
    ["gossip", ["getClusterNodes"], "Versions, clients and locations"],
    ["block production", ["getBlockProduction"], "Skip rates"],
    ["validator info", ["getProgramAccounts"], "Names, icons and websites"],
    ["stake accounts", ["getProgramAccounts", "getProgramAccountsV2"], "delegated or withdrawn will stay unknown"],
    ["slot time", ["getRecentPerformanceSamples"], "estimate an epoch.s end"],
    ["epoch schedule", ["getEpochSchedule"], "past epochs"],
    ["alpenglow certificate", ["getAgGenesisCert"], "lamports"],
    ["inflation rate", ["getInflationRate"], "costs its delegators"],
    ["supply", ["getSupply"], "costs its delegators"],
  ])("%s: where %s is refused by all, what that costs is said", async (subject, methods, cost) => {
    const expected = new RegExp(`^warning ${subject}: #0 ${methods[0]}.*-32601.* → .*${cost}.*${methods[0]}`);
    expect(await judgeSides(nodeWithout(...methods))).toContainEqual(expect.stringMatching(expected));
  });

  const withoutSupply = nodeWithout("getSupply");
  it.each<[string, Methods[], RegExp]>([
    ["another endpoint offers what one refuses", [nodeWithout("getClusterNodes"), wellNode()], /^ok .* gossip/],
    [
      "the supply is told by one witness of three",
      [wellNode(), withoutSupply, withoutSupply],
      /^warning supply: #1 .*; #2 .* → .*serve getSupply to 2 of the witnesses, the first four of MAINNET_RPC_URLS/,
    ],
    ["the supply is told by one of two", [wellNode(), withoutSupply], /^ok .* supply/],
    ["pages are offered in place of the whole", [nodeWithout("getProgramAccounts")], /^ok .* stake accounts/],
    ["a node tells no basis points", [old, wellNode()], /^warning basis points: #0: whole percents only.* → .*newer/],
  ])("where %s are told so", async (_, nodes, expected) => {
    expect(await judgeSides(...nodes)).toContainEqual(expect.stringMatching(expected));
  });

  it("cost an endpoint little: the vote account with the least stake, no account data, one page of one", async () => {
    const rows = [5n, 3n, 0n, 4n].map((activatedStake, index) => ({
      ...VOTE_ROW,
      votePubkey: key(10 + index),
      activatedStake,
    }));
    const { spying, asked } = spyOn(wellNode({ getVoteAccounts: { current: rows, delinquent: [] } }));
    await examineNodes([spying]);
    for (const [, options] of asked.get("getProgramAccounts")!) {
      expect(options).toMatchObject({ dataSlice: { offset: 0, length: 0 } });
      expect(JSON.stringify(options)).toMatch(new RegExp(`${key(11)}|${key(2)}`));
    }
    expect(asked.get("getProgramAccountsV2")![0]![1]).toMatchObject({ limit: 1, dataSlice: { offset: 0, length: 0 } });
    expect(asked.get("getBlockProduction")![0]![0]).toMatchObject({ identity: key(2) });
    expect(asked.get("getMultipleAccounts")).toEqual([[[key(11)], expect.anything()]]);
    expect(asked.get("getRecentPerformanceSamples")).toEqual([[1]]);
    expect(asked.get("getBlockTime")).toEqual([[1_000_000]]);
  });
});
