import { describe, expect, it } from "vitest";
import { judgeCapabilities } from "../../../generator/service/doctor/capabilities.ts";
import { judgeEndpoints } from "../../../generator/service/doctor/endpoints.ts";
import { key } from "../../observe/fixtures.ts";
import { RpcFailure, startNode, startOrigin, startServer, type Methods } from "../../rpc/rpc-server.ts";
import { examineAddresses, examineNodes, judge, nodeWithout, spyOn, told, VOTE_ROW, wellNode } from "./node.ts";

const DEVNET = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG";
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
      /^ok http:\/\/127\.0\.0\.1:\d+#1: \d+ ms, mainnet, healthy, version 4\.2\.1, epoch 1060, slot 1,000,000, 1 vote accounts in \d+ ms$/,
    ],
    ["offers no getHealth", nodeWithout("getHealth"), /^ok .* tells no health/],
    ["is 150 slots behind", at(999_850), /^ok .*\(150 behind most witnesses\)/],
    ["is 151 behind", at(999_849), /^warning .*: 151 slots behind where most witnesses are → .* counts for nothing/],
    ["is of another known cluster", of(DEVNET), /: devnet, not mainnet → Take it out of MAINNET_RPC_URLS, or put it/],
    ["is of a cluster that began anew", of(key(9)), new RegExp(`: genesis ${key(9)}, not mainnet → .*--new-series`)],
    ["says that it is behind", wellNode({ getHealth }), /^warning .*: getHealth: .*behind by 999 slots → .*caught up/],
    ["lists no vote accounts", nodeWithout("getVoteAccounts"), /^warning .*: getVoteAccounts: .*-32601.* → .*Agave/],
  ])("that %s, beside one that is well, is told so", async (_, node, expected) => {
    expect(told(judge(await examineNodes([wellNode(), node])).findings[1]!)).toMatch(expected);
  });

  it.each<[string, Methods[], string[], RegExp]>([
    ["is the only one: a warning", [wellNode()], ["ok", "warning"], /usable endpoints: one → /],
    [
      "is far ahead: it makes no other look behind",
      [wellNode(), at(9e6), wellNode()],
      ["ok", "warning", "ok", "ok"],
      /usable endpoints: 2$/,
    ],
    [
      "is of another cluster that is further on: neither does that",
      [wellNode(), { ...at(9e6), getGenesisHash: DEVNET }],
      ["ok", "warning", "warning"],
      /: one → /,
    ],
    [
      "cannot be used, and no other can: a problem",
      [nodeWithout("getVoteAccounts"), of(DEVNET)],
      ["problem", "problem", "problem"],
      /: none → /,
    ],
  ])("that %s", async (_, nodes, levels, last) => {
    const { findings } = judge(await examineNodes(nodes));
    expect(findings.map(({ level }) => level)).toEqual(levels);
    expect(told(findings.at(-1)!)).toMatch(last);
  });

  it("that stands behind an address of several has one slot counted for all of them, that of the first", async () => {
    const [several, alone] = [await startOrigin([at(9e6), wellNode(), wellNode()]), await startNode(wellNode())];
    try {
      const addresses = [...["0", "1", "2"].map((path) => `${several.url}/${path}`), alone.url];
      const { usable } = judge(await examineAddresses(addresses));
      expect(usable.map(({ epoch }) => epoch.absoluteSlot)).toEqual([9e6]);
    } finally {
      await Promise.all([several.close(), alone.close()]);
    }
  });

  it("that is not there is told without what its address hides", async () => {
    const server = await startServer(() => undefined);
    await server.close();
    expect(told(judge(await examineAddresses([`${server.url}/hunter2`])).findings[0]!)).toBe(
      `problem ${server.url}#0: no connection: ECONNREFUSED → Nothing listens there: check host and port, and whether the node runs.`,
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
    const { usable, findings } = judgeEndpoints({ network: "alpenglow", genesis: null, examinations });
    expect(usable.map(({ label }) => label.slice(-2))).toEqual(["#0"]);
    expect(findings[1]!.found).toBe(`another cluster: mainnet, not genesis ${key(7)}`);
  });
});

describe("the side sources", () => {
  const judgeSides = async (...nodes: Methods[]) => {
    const examinations = await examineNodes(nodes);
    const labels = examinations.map(({ label }) => label);
    return judgeCapabilities("mainnet", { labels, usable: judge(examinations).usable }).map(told);
  };

  it("are all open on a node that can do everything", async () => {
    expect((await judgeSides(wellNode())).map((line) => line.split(" ")[0])).toEqual(Array(12).fill("ok"));
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
    const expected = new RegExp(`^warning ${subject}: .*#0 no \\(.*-32601.* → .*${cost}.*${methods[0]}`);
    expect(await judgeSides(nodeWithout(...methods))).toContainEqual(expect.stringMatching(expected));
  });

  it.each<[string, Methods[], RegExp]>([
    [
      "another endpoint offers what one refuses",
      [nodeWithout("getClusterNodes"), wellNode()],
      /^ok gossip: getClusterNodes: #0 no \(.*\), #1 \d+ ms$/,
    ],
    [
      "the supply is told by one witness of three",
      [wellNode(), nodeWithout("getSupply"), nodeWithout("getSupply")],
      /^warning supply: .* → .*put endpoints that serve getSupply among the witnesses, the first four of MAINNET_RPC_URLS/,
    ],
    ["the supply is told by one of two", [wellNode(), nodeWithout("getSupply")], /^ok supply: /],
    ["pages are offered in place of the whole", [nodeWithout("getProgramAccounts")], /^ok stake accounts: .*not tried/],
    ["no node tells basis points", [old], /^warning basis points: #0: .*whole percents only.* → .*add a newer node/],
    ["one node tells none", [old, wellNode()], /^warning basis points: .* → Put the others first/],
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
    expect(asked.get("getBlockTime")?.flat().sort()).toEqual([100_000, 1_000_000]);
  });
});
