import { describe, expect, it } from "vitest";
import { judgeEndpoints } from "../../../generator/service/doctor/endpoints.ts";
import { judgeProofs } from "../../../generator/service/doctor/proofs.ts";
import { GENESIS_HASHES } from "../../../generator/rpc/ranking.ts";
import type { EndpointExamination } from "../../../generator/observe/endpoint-examination.ts";
import { RpcFailure, type Methods } from "../../rpc/rpc-server.ts";
import { examineNodes, nodeWithout, SIGNATURE, wellNode } from "./node.ts";

const NOW = Date.UTC(2026, 10, 22);
const EPOCH = { epoch: 1060, slotIndex: 999, slotsInEpoch: 432_000, absoluteSlot: 1_000_000 };

const refusing = (method: string): Methods => ({
  ...wellNode(),
  [method]: () => {
    throw new RpcFailure(-32_011, "Transaction history is not available from this node");
  },
});

const judge = async (...nodes: Methods[]) => judgeAll(await examineNodes(nodes));

function judgeAll(examinations: EndpointExamination[]) {
  const labels = examinations.map(({ label }) => label);
  const { usable } = judgeEndpoints({ network: "mainnet", genesis: GENESIS_HASHES.mainnet, examinations });
  return judgeProofs({ network: "mainnet", labels, usable, now: NOW });
}

describe("the transactions of an endpoint", () => {
  it("are told with the slot that they begin at, and how long ago that was", async () => {
    const [finding] = await judge({ ...wellNode(), getBlockTime: Date.UTC(2026, 10, 12) / 1000 });
    expect(finding).toEqual({
      level: "ok",
      subject: "transactions #0",
      found: "kept from slot 100,000 on, 900,000 slots, 10 days back",
      advice: null,
    });
  });

  it("are told without a time where the node has none of that slot", async () => {
    const [finding] = await judge({ ...wellNode(), getBlockTime: null });
    expect(finding).toMatchObject({ level: "ok", found: "kept from slot 100,000 on, 900,000 slots" });
  });

  it.each<[number, string]>([
    [EPOCH.absoluteSlot - EPOCH.slotsInEpoch, "ok"],
    [EPOCH.absoluteSlot - EPOCH.slotsInEpoch + 1, "warning"],
  ])("from slot %s on are %s: an epoch must be among them", async (getFirstAvailableBlock, level) => {
    const [finding] = await judge({ ...wellNode(), getFirstAvailableBlock });
    expect(finding).toMatchObject({ level });
    expect(finding?.advice?.includes("leaves gaps: choose an endpoint for MAINNET_RPC_URLS")).toBe(
      level === "ok" ? undefined : true,
    );
  });

  it.each([["getSignaturesForAddress"], ["getTransaction"], ["getFirstAvailableBlock"]])(
    "are none where %s is refused",
    async (method) => {
      const [, finding] = await judge(wellNode(), refusing(method));
      expect(finding).toMatchObject({
        level: "warning",
        subject: "transactions #1",
        found: `none (${method}: error -32011: Transaction history is not available from this node)`,
        advice: expect.stringContaining("--enable-rpc-transaction-history") as string,
      });
    },
  );

  it("are asked for by one row, and that transaction", async () => {
    const asked = new Map<string, unknown>();
    const spying = Object.fromEntries(
      Object.entries(wellNode()).map(([method, answer]) => [
        method,
        (params: unknown) => (asked.set(method, params), answer),
      ]),
    );
    await examineNodes([spying]);
    expect(asked.get("getSignaturesForAddress")).toEqual([
      "Vote111111111111111111111111111111111111111",
      { limit: 1, commitment: "finalized" },
    ]);
    expect(asked.get("getTransaction")).toMatchObject([SIGNATURE, { encoding: "base64" }]);
  });
});

describe("proofs", () => {
  const without = nodeWithout("getSignaturesForAddress");
  it.each<[string, Methods[], string, RegExp]>([
    ["rest on one witness's word where there is one", [wellNode()], "ok", /^1 of 1 witness keeps .*is believed$/],
    [
      "need both of two",
      [wellNode(), wellNode()],
      "ok",
      /^2 of 2 .* 2 must tell one alike: none of them may be silent$/,
    ],
    ["need two of three", [wellNode(), without, wellNode()], "ok", /^2 of 3 .*: none of them may be silent$/],
    [
      "of three that keep them, one may be silent",
      [wellNode(), wellNode(), wellNode()],
      "ok",
      /: 1 of them may be silent$/,
    ],
    [
      "need three of four",
      [wellNode(), wellNode(), without, without],
      "warning",
      /^2 of 4 .*3 must tell one alike: no change is proved$/,
    ],
    ["need a history of transactions", [without], "warning", /^0 of 1 witness keeps .*: no change is proved$/],
  ])("%s", async (_, nodes, level, found) => {
    const finding = (await judge(...nodes)).at(-1);
    expect(finding).toMatchObject({ level, subject: "proofs", found: expect.stringMatching(found) as string });
  });

  it("count who cannot be used among the witnesses, and those at one origin as one", async () => {
    const [first, second] = (await examineNodes([wellNode(), { ...wellNode(), getGenesisHash: null }])) as [
      EndpointExamination,
      EndpointExamination,
    ];
    expect(judgeAll([first, second]).at(-1)?.found).toMatch(/^1 of 2 witnesses keep transactions, and 2 must/);
    const again = { ...first, label: first.label.replace("#0", "#2") };
    expect(judgeAll([first, again]).at(-1)?.found).toMatch(/^1 of 1 witness keeps/);
  });

  it("are counted of the first four origins", async () => {
    const nodes = [without, without, without, wellNode(), wellNode(), wellNode()];
    expect((await judge(...nodes)).at(-1)?.found).toMatch(/^1 of 4 witnesses keep/);
  });
});
