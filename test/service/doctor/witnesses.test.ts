import { describe, expect, it } from "vitest";
import { judgeProofs, judgeWitnesses } from "../../../generator/service/doctor/witnesses.ts";
import type { EndpointExamination } from "../../../generator/observe/endpoint-examination.ts";
import { RpcFailure, type Methods } from "../../rpc/rpc-server.ts";
import { examineNodes, judge, nodeWithout, SIGNATURE, spyOn, told, wellNode } from "./node.ts";

it.each([
  ["a", /^warning witnesses: 1: not guarded against its lies → Give TESTNET_RPC_URLS .*three or four providers/],
  ["ab", /^warning witnesses: 2: nothing false is told .* disputed for ever → Give TESTNET_RPC_URLS/],
  ["abc", /^ok witnesses: 3: one of them may lie$/],
  ["abcd", /^ok witnesses: 4: one of them may lie$/],
  ["abcdef", /^ok witnesses: 4, the first of 6 origins: one of them may lie$/],
  ["aaa", /^warning witnesses: 1 \(3 endpoints: those at one origin are one witness\): not guarded/],
  ["abac", /^ok witnesses: 3 \(4 endpoints: those at one origin are one witness\): one of them may lie$/],
])("witnesses at the origins %s can guarantee so much", (origins, expected) => {
  const labels = Array.from(origins, (origin, position) => `https://${origin}.example#${position}`);
  const examinations = labels.map((label) => ({ label, answers: null }));
  expect(told(judgeWitnesses("testnet", { examinations, usable: examinations }))).toMatch(expected);
});

it.each([
  ["ab", 0, /^problem witnesses: 0 of 2 answer: nothing is observed, .* → .*replace them in MAINNET_RPC_URLS\.$/],
  ["abc", 0, /^problem witnesses: 0 of 3 answer: /],
  [
    "abc",
    1,
    /^problem witnesses: 2 of 3 do not answer: no change can be confirmed\. Changes wait in pending\. → .*Once 2 of 3 answer/,
  ],
  ["abcd", 2, /^problem witnesses: 2 of 4 do not answer: no change .*Once 3 of 4 answer/],
  ["ab", 1, /^warning witnesses: 1 of 2 does not answer: the other confirms changes alone, three minutes late/],
  ["abc", 2, /^warning witnesses: 1 of 3 does not answer: a majority still answers, .* but changes then wait → /],
  // The fifth origin is no witness.
  ["abcde", 4, /^ok witnesses: 4, the first of 5 origins/],
])("of witnesses at the origins %s, the first %i answer", (origins, count, expected) => {
  const labels = Array.from(origins, (origin, position) => `https://${origin}.example#${position}`);
  const examinations = labels.map((label) => ({ label, answers: null }));
  const usable = examinations.slice(0, count);
  expect(told(judgeWitnesses("mainnet", { examinations, usable }))).toMatch(expected);
});

it("a witness that answers and cannot be used does not count", async () => {
  const examinations = await examineNodes([wellNode(), nodeWithout("getVoteAccounts"), nodeWithout("getEpochInfo")]);
  const { usable } = judge(examinations);
  expect(told(judgeWitnesses("mainnet", { examinations, usable }))).toMatch(
    /^problem witnesses: 2 of 3 cannot be used: no change can be confirmed/,
  );
});

const FIRST_OF_EPOCH = 1_000_000 - 432_000;
const refuse = () => {
  throw new RpcFailure(-32_011, "Transaction history is not available from this node");
};

function judgeAll(examinations: EndpointExamination[]): string[] {
  const labels = examinations.map(({ label }) => label);
  const { usable } = judge(examinations);
  return judgeProofs({ network: "mainnet", labels, usable, now: Date.UTC(2026, 10, 22) }).map(told);
}

describe("the transactions of an endpoint", () => {
  it.each<[string, Methods, RegExp]>([
    [
      "with the slot that they begin at, and how long ago that was",
      { getBlockTime: Date.UTC(2026, 10, 12) / 1000 },
      /^ok transactions #0: kept from slot 100,000 on, 900,000 slots, 10 days back$/,
    ],
    ["without a time the node has not", { getBlockTime: null }, /, 900,000 slots$/],
    ["from the epoch on as well", { getFirstAvailableBlock: FIRST_OF_EPOCH }, /^ok /],
    [
      "from later on as too few",
      { getFirstAvailableBlock: FIRST_OF_EPOCH + 1 },
      /^warning .*: less than an epoch → .*leaves gaps: choose an endpoint for MAINNET_RPC_URLS/,
    ],
    ...["getSignaturesForAddress", "getTransaction", "getFirstAvailableBlock"].map(
      (method): [string, Methods, RegExp] => [
        `as none where ${method} is refused`,
        { [method]: refuse },
        new RegExp(
          `^warning transactions #0: none \\(${method}: error -32011: Transaction history is not available from this node\\) → .*--enable-rpc-transaction-history`,
        ),
      ],
    ),
  ])("are told %s", async (_, methods, expected) => {
    expect(judgeAll(await examineNodes([wellNode(methods)]))[0]).toMatch(expected);
  });

  it("are asked for by one row, and that transaction", async () => {
    const { spying, asked } = spyOn(wellNode());
    await examineNodes([spying]);
    const vote = "Vote111111111111111111111111111111111111111";
    expect(asked.get("getSignaturesForAddress")).toEqual([[vote, { limit: 1, commitment: "finalized" }]]);
    expect(asked.get("getTransaction")).toMatchObject([[SIGNATURE, { encoding: "base64" }]]);
  });
});

describe("proofs", () => {
  const well = wellNode();
  const without = nodeWithout("getSignaturesForAddress");
  it.each<[string, Methods[], RegExp]>([
    ["rest on one witness's word where there is one", [well], /^ok proofs: 1 of 1 witness keeps .*is believed$/],
    ["need both of two", [well, well], /^ok proofs: 2 of 2 .* 2 must tell one alike: none of them may be silent$/],
    ["need two of three", [well, without, well], /^ok proofs: 2 of 3 .*: none of them may be silent$/],
    ["leave one of three to be silent", [well, well, well], /^ok proofs: .*: 1 of them may be silent$/],
    ["need three of four", [well, well, without, without], /^warning proofs: 2 of 4 .*3 must .*: no change is proved/],
    ["need a history of transactions", [without], /^warning proofs: 0 of 1 witness keeps .*: no change is proved/],
    ["are counted of the first four origins", [without, without, without, well, well, well], /: 1 of 4 witnesses keep/],
  ])("%s", async (_, nodes, expected) => {
    expect(judgeAll(await examineNodes(nodes)).at(-1)).toMatch(expected);
  });

  it("count who cannot be used among the witnesses, and those at one origin as one", async () => {
    const [first, second] = await examineNodes([well, wellNode({ getGenesisHash: null })]);
    expect(judgeAll([first!, second!]).at(-1)).toMatch(/: 1 of 2 witnesses keep transactions, and 2 must/);
    const again = { ...first!, label: first!.label.replace("#0", "#2") };
    expect(judgeAll([first!, again]).at(-1)).toMatch(/: 1 of 1 witness keeps/);
  });
});
