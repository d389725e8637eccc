import { describe, expect, it } from "vitest";
import { judgeCapabilities } from "../../../generator/service/doctor/capabilities.ts";
import { judgeEndpoints } from "../../../generator/service/doctor/endpoints.ts";
import { GENESIS_HASHES } from "../../../generator/rpc/ranking.ts";
import { key } from "../../observe/fixtures.ts";
import { RpcFailure, startServer, type Methods } from "../../rpc/rpc-server.ts";
import { examineAddresses, examineNodes, nodeWithout, oldNode, told, VOTE_ROW, wellNode } from "./node.ts";

const genesis = GENESIS_HASHES.mainnet;
const DEVNET = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG";

async function judge(nodes: Methods[]) {
  return judgeEndpoints({ network: "mainnet", genesis, examinations: await examineNodes(nodes) });
}

const at = (absoluteSlot: number): Methods => ({
  ...wellNode(),
  getEpochInfo: { epoch: 1060, slotIndex: 999, slotsInEpoch: 432_000, absoluteSlot },
});
const of = (getGenesisHash: string): Methods => ({ ...wellNode(), getGenesisHash });
const behind = (): Methods => ({
  ...wellNode(),
  getHealth: () => {
    throw new RpcFailure(-32_005, "Node is behind by 999 slots");
  },
});

describe("an endpoint", () => {
  it("that is well is told with its cluster, health, version, epoch, slot and vote accounts", async () => {
    const { findings, usable } = await judge([wellNode(), wellNode()]);
    expect(findings.map(({ level }) => level)).toEqual(["ok", "ok", "ok"]);
    expect(told(findings[0]!)).toMatch(
      /^ok http:\/\/127\.0\.0\.1:\d+#0: \d+ ms, mainnet, healthy, version 4\.2\.1, epoch 1060, slot 1,000,000, 1 vote accounts in \d+ ms$/,
    );
    expect(usable).toHaveLength(2);
  });

  it.each<[string, Methods, RegExp]>([
    ["offers no getHealth", nodeWithout("getHealth"), /^ok .* tells no health/],
    ["is 150 slots behind", at(999_850), /^ok .*\(150 behind most witnesses\)/],
    [
      "is 151 slots behind",
      at(999_849),
      /^warning .*: 151 slots behind where most witnesses are → .* counts for nothing until it is where they are/,
    ],
    [
      "is of another known cluster",
      of(DEVNET),
      /^warning .*: another cluster: devnet, not mainnet → Take it out of MAINNET_RPC_URLS, or put it where it belongs/,
    ],
    [
      "is of a cluster that began anew",
      of(key(9)),
      new RegExp(`^warning .*: another cluster: genesis ${key(9)}, not mainnet → .*--new-series`),
    ],
    ["says that it is behind", behind(), /^warning .*: getHealth: .*Node is behind by 999 slots → .*caught up/],
    [
      "does not list the vote accounts",
      nodeWithout("getVoteAccounts"),
      /^warning .*: getVoteAccounts: .*-32601.* → .*Agave-family/,
    ],
  ])("that %s, beside one that is well, is told so", async (_, node, expected) => {
    const { findings } = await judge([wellNode(), node]);
    expect(told(findings[1]!)).toMatch(expected);
  });

  it.each<[string, Methods[], string[]]>([
    ["is the only one: a warning", [wellNode()], ["ok", "warning"]],
    ["is far ahead: it makes no other look behind", [wellNode(), at(9e6), wellNode()], ["ok", "warning", "ok", "ok"]],
    [
      "is of another cluster that is further on: neither does that",
      [wellNode(), { ...at(9e6), getGenesisHash: DEVNET }],
      ["ok", "warning", "warning"],
    ],
    [
      "cannot be used, and no other can: a problem",
      [nodeWithout("getVoteAccounts"), of(DEVNET)],
      ["problem", "problem", "problem"],
    ],
  ])("that %s", async (_, nodes, levels) => {
    const { findings } = await judge(nodes);
    expect(findings.map(({ level }) => level)).toEqual(levels);
    const usable = { 0: "none", 1: "one" }[levels.slice(0, -1).filter((level) => level === "ok").length];
    if (usable !== undefined) expect(told(findings.at(-1)!)).toContain(`usable endpoints: ${usable} → `);
  });

  it("that is not there is told without what its address hides", async () => {
    const server = await startServer(() => undefined);
    await server.close();
    const examinations = await examineAddresses([`${server.url}/hunter2`]);
    const { findings } = judgeEndpoints({ network: "mainnet", genesis, examinations });
    expect(told(findings[0]!)).toBe(
      `problem ${server.url}#0: no connection: ECONNREFUSED → Nothing listens there: check host and port, and whether the node runs.`,
    );
  });

  it.each([
    [401, /check the key in its address/],
    [403, /check the key in its address/],
    [404, /speaks no JSON-RPC/],
    [429, /allows no more requests/],
    [503, /out of order/],
  ])("that answers with HTTP status %s comes with what to do", async (status, advice) => {
    const server = await startServer((_, response) => {
      response.statusCode = status;
      response.setHeader("retry-after", "3600");
      response.end("<html>No.</html>");
    });
    try {
      const examinations = await examineAddresses([server.url]);
      const { findings } = judgeEndpoints({ network: "mainnet", genesis, examinations });
      expect(findings[0]).toMatchObject({ level: "problem", found: expect.stringContaining(String(status)) as string });
      expect(findings[0]!.advice).toMatch(advice);
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
  async function judgeSides(nodes: Methods[]): Promise<string[]> {
    const { usable } = await judge(nodes);
    return judgeCapabilities("mainnet", usable).map(told);
  }

  it("are all open on a node that can do everything", async () => {
    const lines = await judgeSides([wellNode()]);
    expect(lines.filter((line) => line.startsWith("ok "))).toHaveLength(9);
    expect(lines).toHaveLength(9);
  });

  it.each([
    ["second readings", ["getMultipleAccounts"], /confirmed by a later observation/],
    ["gossip", ["getClusterNodes"], /Versions, clients and locations/],
    ["block production", ["getBlockProduction"], /Skip rates/],
    ["validator info", ["getProgramAccounts"], /Names, icons and websites/],
    ["stake accounts", ["getProgramAccounts", "getProgramAccountsV2"], /delegated or withdrawn will stay unknown/],
    ["slot time", ["getRecentPerformanceSamples"], /no epoch end is estimated/],
    ["epoch schedule", ["getEpochSchedule"], /past epochs/],
    ["alpenglow certificate", ["getAgGenesisCert"], /lamports/],
  ])("%s: where %s is refused by all, what that costs is said", async (subject, methods, cost) => {
    const lines = await judgeSides([nodeWithout(...methods)]);
    const line = lines.find((one) => one.startsWith(`warning ${subject}: `))!;
    expect(line).toMatch(new RegExp(`#0 no \\(.*-32601.* → .*${cost.source}.*${methods[0]}`));
  });

  it.each<[string, Methods[], RegExp]>([
    [
      "another endpoint offers what one refuses",
      [nodeWithout("getClusterNodes"), wellNode()],
      /^ok gossip: getClusterNodes: #0 no \(.*\), #1 \d+ ms$/,
    ],
    ["pages are offered in place of the whole", [nodeWithout("getProgramAccounts")], /^ok stake accounts: .*not tried/],
    [
      "no node tells basis points",
      [oldNode()],
      /^warning basis points: #0: commissions in whole percents only.* → .*add a newer node/,
    ],
    ["one node tells none", [oldNode(), wellNode()], /^warning basis points: .* → Put the others first/],
  ])("where %s are told so", async (_, nodes, expected) => {
    expect((await judgeSides(nodes)).filter((line) => expected.test(line))).toHaveLength(1);
  });
});

describe("what is asked of an endpoint", () => {
  it("costs it little: one vote account, that with the least stake, no account data, one page of one account", async () => {
    const rows = [5n, 3n, 0n, 4n].map((activatedStake, index) => ({
      ...VOTE_ROW,
      votePubkey: key(10 + index),
      activatedStake,
    }));
    const node: Methods = { ...wellNode(), getVoteAccounts: { current: rows, delinquent: [] } };
    const asked = new Map<string, unknown[][]>();
    const spying = Object.fromEntries(
      Object.entries(node).map(([method, answer]) => [
        method,
        (params: unknown[]) => {
          asked.set(method, [...(asked.get(method) ?? []), params]);
          return answer;
        },
      ]),
    );
    await examineNodes([spying]);
    for (const [, options] of asked.get("getProgramAccounts")!) {
      expect(options).toMatchObject({ dataSlice: { offset: 0, length: 0 } });
      expect(JSON.stringify(options)).toMatch(new RegExp(`${key(11)}|${key(2)}`));
    }
    expect(asked.get("getProgramAccountsV2")![0]![1]).toMatchObject({ limit: 1, dataSlice: { offset: 0, length: 0 } });
    expect(asked.get("getBlockProduction")![0]![0]).toMatchObject({ identity: key(2) });
    expect(asked.get("getMultipleAccounts")).toEqual([[[key(11)], expect.anything()]]);
    expect(asked.get("getRecentPerformanceSamples")).toEqual([[1]]);
    expect(asked.get("getBlockTime")?.flat().sort()).toEqual([1_000_000, 100_000].sort());
  });
});
