import { describe, expect, it, onTestFinished } from "vitest";
import { key } from "../../observe/fixtures.ts";
import { openServer } from "../../rpc/open-server.ts";
import { RpcFailure } from "../../cluster/rpc/failure.ts";
import { startNode, startOrigin, startServer, type Methods } from "../../rpc/rpc-server.ts";
import { checkAddresses, checkNodes, nodeWithout, spyOn, VOTE_ROW, wellNode } from "./node.ts";

const TESTNET = "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY";
const at = (absoluteSlot: number) =>
  wellNode({ getEpochInfo: { epoch: 1060, slotIndex: 999, slotsInEpoch: 432_000, absoluteSlot } });
const of = (getGenesisHash: string) => wellNode({ getGenesisHash });
const getHealth = () => {
  throw new RpcFailure(-32_005, "Node is behind by 999 slots");
};
/** As before Agave 4.1. */
const old = wellNode({
  getVoteAccounts: {
    current: [{ ...VOTE_ROW, inflationRewardsCommissionBps: undefined }],
    delinquent: [],
  },
});
const brief = wellNode({ getFirstAvailableBlock: 1_000_000 - 432_000 + 1 });

const levelsOf = (lines: string[]) => lines.map((line) => line.split(" ")[0]).join(" ");

describe("an endpoint", () => {
  it.each<[string, Methods, RegExp]>([
    [
      "is well",
      wellNode(),
      /^ok http:\/\/127\.0\.0\.1:\d+#1: version 4\.2\.1, epoch 1060, slot 1,000,000, 1 vote accounts in \d+ ms, keeps an epoch/,
    ],
    ["keeps few transactions", brief, /^ok .* does not keep an epoch of transactions$/],
    [
      "gives no basis points",
      old,
      /^warning .*, whole percents only.* → .*newer nodes first in MAINNET_RPC_URLS/,
    ],
    ["offers no getHealth", nodeWithout("getHealth"), /^ok /],
    ["is 150 slots behind", at(999_850), /^ok /],
    [
      "is 151 behind",
      at(999_849),
      /^warning .*: 151 slots behind where most witnesses are → .* counts for nothing/,
    ],
    [
      "is of another cluster",
      of(TESTNET),
      /: testnet, not mainnet → Take it out of MAINNET_RPC_URLS/,
    ],
    [
      "is of one that began anew",
      of(key(9)),
      new RegExp(`: genesis ${key(9)}, not mainnet → .*--new-series`),
    ],
    [
      "says that it is behind",
      wellNode({ getHealth }),
      /^warning .*: getHealth: .*behind by 999 slots → .*caught up/,
    ],
    [
      "lists no vote accounts",
      nodeWithout("getVoteAccounts"),
      /^warning .*: getVoteAccounts: .*-32601.* → .*Agave/,
    ],
  ])("that %s, beside one that is well, is named with the fault", async (_, node, expected) => {
    expect((await checkNodes([wellNode(), node]))[1]).toMatch(expected);
  });

  it.each<[string, Methods[], string]>([
    [
      "is far ahead: it makes no other look behind",
      [wellNode(), at(9e6), wellNode()],
      "ok warning ok",
    ],
    [
      "is of another cluster that is further on: neither does that",
      [wellNode(), { ...at(9e6), getGenesisHash: TESTNET }],
      "ok warning",
    ],
    [
      "cannot be used, and no other can: a problem",
      [nodeWithout("getVoteAccounts"), of(TESTNET)],
      "problem problem",
    ],
  ])("that %s", async (_, nodes, levels) => {
    expect(levelsOf((await checkNodes(nodes)).slice(0, nodes.length))).toBe(levels);
  });

  it("that stands behind an address of several has one slot counted for all of them, that of the first", async () => {
    const [several, alone] = [
      await startOrigin([at(9e6), wellNode(), wellNode()]),
      await startNode(wellNode()),
    ];
    for (const node of [several, alone]) onTestFinished(() => node.close());
    const lines = await checkAddresses([
      ...["0", "1", "2"].map((path) => `${several.url}/${path}`),
      alone.url,
    ]);
    expect(levelsOf(lines.slice(0, 4))).toBe("ok warning warning warning");
    expect(lines[4]).toMatch(/^warning witnesses: 1 of 2 origins/);
  });

  it("that is not there is named without what its address hides", async () => {
    const server = await startServer(() => undefined);
    await server.close();
    // Of two addresses each is tried less often.
    expect((await checkAddresses([`${server.url}/hunter2`, server.url]))[0]).toBe(
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
    const { url } = await openServer((_, response) => {
      response.writeHead(status, { "retry-after": "3600" }).end("<html>No.</html>");
    });
    expect((await checkAddresses([url]))[0]).toMatch(
      new RegExp(`^problem .*${status}.* → .*${advice}`),
    );
  });

  it("that gives the first genesis decides where none is known", async () => {
    const lines = await checkNodes([of(key(7)), wellNode()], Date.now, "alpenglow");
    expect(levelsOf(lines.slice(0, 2))).toBe("ok warning");
    expect(lines[1]).toContain(`another cluster: mainnet, not genesis ${key(7)} →`);
  });

  it("is asked little: the vote account with the least stake, no account data, pages and lists of one", async () => {
    const rows = [5n, 3n, 0n, 4n].map((activatedStake, index) => ({
      ...VOTE_ROW,
      votePubkey: key(10 + index),
      activatedStake,
    }));
    const { spying, asked } = spyOn(
      wellNode({ getVoteAccounts: { current: rows, delinquent: [] } }),
    );
    await checkNodes([spying]);
    for (const [, options] of asked.get("getProgramAccounts")!) {
      expect(options).toMatchObject({ dataSlice: { offset: 0, length: 0 } });
      expect(JSON.stringify(options)).toMatch(new RegExp(`${key(11)}|${key(2)}`));
    }
    expect(asked.get("getProgramAccountsV2")![0]![1]).toMatchObject({
      limit: 1,
      dataSlice: { offset: 0, length: 0 },
    });
    expect(asked.get("getBlockProduction")![0]![0]).toMatchObject({ identity: key(2) });
    expect(asked.get("getMultipleAccounts")).toEqual([[[key(11)], expect.anything()]]);
    expect(asked.get("getRecentPerformanceSamples")).toEqual([[1]]);
    expect(asked.get("getBlockTime")).toEqual([[1_000_000]]);
    const vote = "Vote111111111111111111111111111111111111111";
    expect(asked.get("getSignaturesForAddress")).toEqual([
      [vote, { limit: 1, commitment: "finalized" }],
    ]);
    expect(asked.get("getTransaction")).toMatchObject([["5".repeat(88), { encoding: "base64" }]]);
  });
});
