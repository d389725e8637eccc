import { describe, expect, it } from "vitest";
import { judgeCapabilities } from "../../../generator/service/doctor/capabilities.ts";
import { judgeEndpoints } from "../../../generator/service/doctor/endpoints.ts";
import type { Finding } from "../../../generator/service/doctor/findings.ts";
import { GENESIS_HASHES } from "../../../generator/rpc/ranking.ts";
import { key } from "../../observe/fixtures.ts";
import { RpcFailure, startServer, type Methods } from "../../rpc/rpc-server.ts";
import { examineAddresses, examineNodes, nodeWithout, oldNode, VOTE_ROW, wellNode } from "./node.ts";

const genesis = GENESIS_HASHES.mainnet;
const DEVNET = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG";

async function judge(nodes: Methods[]) {
  return judgeEndpoints({ network: "mainnet", genesis, examinations: await examineNodes(nodes) });
}

/** The verdict on the second of two endpoints, the first of which is well. */
async function judgeSecond(node: Methods): Promise<Finding> {
  const { findings } = await judge([wellNode(), node]);
  return findings[1]!;
}

function refusing(method: string, code: number, message: string): Methods {
  const fail = () => {
    throw new RpcFailure(code, message);
  };
  return { ...wellNode(), [method]: fail };
}

describe("an endpoint that is well", () => {
  it("is told with its cluster, health, version, epoch, slot and vote accounts", async () => {
    const { findings, usable } = await judge([wellNode(), wellNode()]);
    expect(findings.map(({ level }) => level)).toEqual(["ok", "ok", "ok"]);
    expect(findings[0]!.subject).toMatch(/^http:\/\/127\.0\.0\.1:\d+#0$/);
    expect(findings[0]!.found).toMatch(
      /^\d+ ms, mainnet, healthy, version 4\.2\.1, epoch 1060, slot 1,000,000, 1 vote accounts in \d+ ms$/,
    );
    expect(usable).toHaveLength(2);
  });

  it("may offer no getHealth: it is judged by its slot", async () => {
    expect(await judgeSecond(nodeWithout("getHealth"))).toMatchObject({
      level: "ok",
      found: expect.stringContaining("tells no health") as string,
    });
  });

  it("is a warning when it is the only one", async () => {
    const { findings } = await judge([wellNode()]);
    expect(findings.at(-1)).toMatchObject({
      level: "warning",
      found: "one",
      advice: expect.stringContaining("MAINNET_RPC_URLS") as string,
    });
  });
});

describe("an endpoint that cannot be used", () => {
  it("is named by its cluster when that is another known one", async () => {
    expect(await judgeSecond({ ...wellNode(), getGenesisHash: DEVNET })).toMatchObject({
      level: "warning",
      found: "another cluster: devnet, not mainnet",
      advice: expect.stringContaining("Take it out of MAINNET_RPC_URLS, or put it where it belongs") as string,
    });
  });

  it("makes no other look behind when its cluster is further on", async () => {
    const further = { epoch: 1080, slotIndex: 0, slotsInEpoch: 432_000, absoluteSlot: 9_000_000 };
    const { findings } = await judge([wellNode(), { ...wellNode(), getGenesisHash: DEVNET, getEpochInfo: further }]);
    expect(findings.map(({ level }) => level)).toEqual(["ok", "warning", "warning"]);
  });

  it("may be of a cluster that began anew", async () => {
    expect(await judgeSecond({ ...wellNode(), getGenesisHash: key(9) })).toMatchObject({
      found: `another cluster: genesis ${key(9)}, not mainnet`,
      advice: expect.stringContaining("--new-series") as string,
    });
  });

  it("says so itself when it is behind", async () => {
    const finding = await judgeSecond(refusing("getHealth", -32_005, "Node is behind by 999 slots"));
    expect(finding).toMatchObject({
      level: "warning",
      found: expect.stringMatching(/^getHealth: .*Node is behind by 999 slots/) as string,
    });
  });

  const at = (absoluteSlot: number): Methods => ({
    ...wellNode(),
    getEpochInfo: { epoch: 1060, slotIndex: 999, slotsInEpoch: 432_000, absoluteSlot },
  });

  it("is more than 150 slots behind where most are", async () => {
    expect(await judgeSecond(at(999_849))).toMatchObject({
      level: "warning",
      found: "151 slots behind where most witnesses are",
      advice: expect.stringContaining("counts for nothing until it is where they are") as string,
    });
    const near = await judgeSecond(at(999_850));
    expect(near).toMatchObject({
      level: "ok",
      found: expect.stringContaining("(150 behind most witnesses)") as string,
    });
  });

  it("is far ahead of where most are, and makes none of them look behind", async () => {
    const { findings } = await judge([wellNode(), at(9_000_000), wellNode()]);
    expect(findings.map(({ level }) => level)).toEqual(["ok", "warning", "ok", "ok"]);
    expect(findings[1]!.found).toBe("8,000,000 slots ahead of where most witnesses are");
  });

  it("does not list the vote accounts", async () => {
    const finding = await judgeSecond(nodeWithout("getVoteAccounts"));
    expect(finding).toMatchObject({
      level: "warning",
      found: expect.stringMatching(/^getVoteAccounts: .*-32601/) as string,
      advice: expect.stringContaining("Agave-family") as string,
    });
  });

  it("is a problem only where no other can be used", async () => {
    const { findings } = await judge([nodeWithout("getVoteAccounts"), { ...wellNode(), getGenesisHash: DEVNET }]);
    expect(findings.map(({ level }) => level)).toEqual(["problem", "problem", "problem"]);
    expect(findings.at(-1)).toMatchObject({ subject: "usable endpoints", found: "none" });
  });

  it("is not there", async () => {
    const server = await startServer(() => undefined);
    await server.close();
    const [examination] = await examineAddresses([`${server.url}/hunter2`]);
    const { findings } = judgeEndpoints({ network: "mainnet", genesis, examinations: [examination!] });
    expect(findings[0]).toEqual({
      level: "problem",
      subject: `${server.url}#0`,
      found: "no connection: ECONNREFUSED",
      advice: "Nothing listens there: check host and port, and whether the node runs.",
    });
  });

  it.each([
    [401, /check the key in its address/],
    [403, /check the key in its address/],
    [404, /speaks no JSON-RPC/],
    [429, /allows no more requests/],
    [503, /out of order/],
  ])("answers with HTTP status %s, which says what to do", async (status, advice) => {
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
});

describe("a cluster whose genesis is not known", () => {
  it("is that of the first endpoint that tells one", async () => {
    const examinations = await examineNodes([{ ...wellNode(), getGenesisHash: key(7) }, wellNode()]);
    const { usable, findings } = judgeEndpoints({ network: "alpenglow", genesis: null, examinations });
    expect(usable.map(({ label }) => label.slice(-2))).toEqual(["#0"]);
    expect(findings[1]!.found).toBe(`another cluster: mainnet, not genesis ${key(7)}`);
  });
});

async function judgeSides(nodes: Methods[]): Promise<Map<string, Finding>> {
  const { usable } = await judge(nodes);
  return new Map(judgeCapabilities("mainnet", usable).map((finding) => [finding.subject, finding]));
}

describe("the side sources", () => {
  it("are all open on a node that can do everything", async () => {
    const findings = [...(await judgeSides([wellNode()])).values()];
    expect(findings.map(({ level }) => level)).toEqual(findings.map(() => "ok"));
    expect(findings).toHaveLength(9);
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
    const finding = (await judgeSides([nodeWithout(...methods)])).get(subject)!;
    expect(finding).toMatchObject({ level: "warning", found: expect.stringMatching(/#0 no \(.*-32601/) as string });
    expect(finding.advice).toMatch(cost);
    expect(finding.advice).toContain(methods[0]);
  });

  it("are well where another endpoint offers what one refuses", async () => {
    const finding = (await judgeSides([nodeWithout("getClusterNodes"), wellNode()])).get("gossip")!;
    expect(finding).toMatchObject({
      level: "ok",
      found: expect.stringMatching(/^getClusterNodes: #0 no \(.*\), #1 \d+ ms$/) as string,
    });
  });

  it("are well where pages of stake accounts are offered in place of the whole", async () => {
    const finding = (await judgeSides([nodeWithout("getProgramAccounts")])).get("stake accounts")!;
    expect(finding).toMatchObject({ level: "ok", found: expect.stringContaining("was not tried") as string });
  });

  it("include basis points, which older nodes do not tell", async () => {
    const all = (await judgeSides([oldNode()])).get("basis points")!;
    expect(all).toMatchObject({
      level: "warning",
      found: expect.stringContaining("#0: commissions in whole percents only") as string,
      advice: expect.stringContaining("add a newer node") as string,
    });
    const one = (await judgeSides([oldNode(), wellNode()])).get("basis points")!;
    expect(one).toMatchObject({ level: "warning", advice: expect.stringContaining("Put the others first") as string });
  });
});

describe("what is asked of an endpoint", () => {
  it("is of the vote account with the least stake, which has few stake accounts", async () => {
    const rows = [5n, 3n, 0n, 4n].map((activatedStake, index) => ({
      ...VOTE_ROW,
      votePubkey: key(10 + index),
      activatedStake,
    }));
    const asked: unknown[] = [];
    const getMultipleAccounts = ([keys]: unknown[]) => {
      asked.push(keys);
      return wellNode()["getMultipleAccounts"];
    };
    await examineNodes([{ ...wellNode(), getVoteAccounts: { current: rows, delinquent: [] }, getMultipleAccounts }]);
    expect(asked).toEqual([[key(11)]]);
  });

  it("costs it little: one vote account, no account data, one page of one account", async () => {
    const asked = new Map<string, unknown[][]>();
    const spying = Object.fromEntries(
      Object.entries(wellNode()).map(([method, answer]) => [
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
      expect(JSON.stringify(options)).toMatch(new RegExp(`${key(1)}|${key(2)}`));
    }
    expect(asked.get("getProgramAccountsV2")![0]![1]).toMatchObject({ limit: 1, dataSlice: { offset: 0, length: 0 } });
    expect(asked.get("getBlockProduction")![0]![0]).toMatchObject({ identity: key(2) });
    expect(asked.get("getMultipleAccounts")![0]![0]).toEqual([key(1)]);
    expect(asked.get("getRecentPerformanceSamples")).toEqual([[1]]);
    expect(asked.get("getBlockTime")?.flat().sort()).toEqual([1_000_000, 100_000].sort());
  });
});
