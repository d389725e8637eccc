import { expect, it } from "vitest";
import type { EndpointExamination } from "../../../generator/observe/endpoint-examination.ts";
import { judgeProofs, judgeWitnesses } from "../../../generator/service/doctor/witnesses.ts";
import { RpcFailure, type Methods } from "../../rpc/rpc-server.ts";
import { examineNodes, judge, nodeWithout, SIGNATURE, spyOn, told, wellNode } from "./node.ts";

it.each([
  ["a", 1, /^warning witnesses: 1 of 1 .*: not guarded against its lies → Give MAINNET_RPC_URLS .*three or four/],
  ["ab", 2, /^warning witnesses: 2 of 2 .*: if one of them lies, nothing false is told, but changes wait → Give/],
  ["abc", 3, /^ok witnesses: 3 of 3 origins can be used: one of them may lie$/],
  ["abcd", 4, /^ok witnesses: 4 of 4 .*: one of them may lie$/],
  ["abcdef", 6, /^ok witnesses: 4 of 4 /],
  ["aaa", 3, /^warning witnesses: 1 of 1 .*: not guarded/],
  ["abac", 4, /^ok witnesses: 3 of 3 /],
  ["a", 0, /^problem witnesses: 0 of 1 .*: nothing is observed → The lines above say why/],
  ["abc", 1, /^problem witnesses: 1 of 3 .*: no change can be confirmed until 2 can → .*repair them or replace them/],
  ["abcd", 2, /^problem witnesses: 2 of 4 .*: no change can be confirmed until 3 can/],
  ["ab", 1, /^warning witnesses: 1 of 2 .*: not guarded against its lies → The lines/],
  ["abc", 2, /^warning witnesses: 2 of 3 .*: if one of them lies, nothing false is told, but changes wait → The lines/],
  // The fifth origin is no witness.
  ["abcde", 4, /^ok witnesses: 4 of 4 /],
])("of witnesses at the origins %s, the first %i can be used", (origins, count, expected) => {
  const labels = Array.from(origins, (origin, position) => `https://${origin}.example#${position}`);
  const { panel } = judge(
    labels.map((label) => ({ label, genesis: { failed: "no" }, epoch: {} }) as EndpointExamination),
  );
  const usable = labels.slice(0, count).map((label) => ({ label }) as EndpointExamination);
  expect(told(judgeWitnesses({ ...panel, usable }))).toMatch(expected);
});

it("a witness that answers and cannot be used does not count", async () => {
  const examinations = await examineNodes([wellNode(), nodeWithout("getVoteAccounts"), nodeWithout("getEpochInfo")]);
  expect(told(judgeWitnesses(judge(examinations).panel))).toMatch(/^problem witnesses: 1 of 3 /);
});

const FIRST_OF_EPOCH = 1_000_000 - 432_000;
const well = wellNode({ getFirstAvailableBlock: FIRST_OF_EPOCH });
const short = wellNode({ getFirstAvailableBlock: FIRST_OF_EPOCH + 1 });
const refuse = () => {
  throw new RpcFailure(-32_011, "Transaction history is not available from this node");
};
const without = wellNode({ getTransaction: refuse });

it.each<[string, Methods[], RegExp]>([
  ["rest on one witness's word", [well], /^ok proofs: 1 of 1 witnesses .*, 1 must: #0 from slot 568,000 on$/],
  ["need an epoch", [short], /^warning proofs: 0 of 1 .* → .*with gaps or not at all: .*MAINNET_RPC_URLS/],
  [
    "need both of two",
    [well, without],
    /^warning proofs: 1 of 2 .*, 2 must: .*, #1 none \(getTransaction: error -32011/,
  ],
  ["need two of three", [well, without, well], /^ok proofs: 2 of 3 /],
  ["need three of four", [well, well, without, without], /^warning proofs: 2 of 4 .*3 must/],
  ["are counted of the first four", [without, without, without, well, well, well], /^warning proofs: 1 of 4 /],
  ["need a list", [nodeWithout("getSignaturesForAddress")], /^warning .*#0 none \(getSignaturesForAddress: error/],
  ["need a first slot", [nodeWithout("getFirstAvailableBlock")], /^warning .*#0 none \(getFirstAvailableBlock: error/],
  ["count who cannot be used", [well, wellNode({ getGenesisHash: null })], /^warning proofs: 1 of 2 /],
])("proofs %s", async (_, nodes, expected) => {
  expect(told(judgeProofs(judge(await examineNodes(nodes)).panel))).toMatch(expected);
});

it("transactions are asked for by one row, and that transaction", async () => {
  const { spying, asked } = spyOn(wellNode());
  await examineNodes([spying]);
  const vote = "Vote111111111111111111111111111111111111111";
  expect(asked.get("getSignaturesForAddress")).toEqual([[vote, { limit: 1, commitment: "finalized" }]]);
  expect(asked.get("getTransaction")).toMatchObject([[SIGNATURE, { encoding: "base64" }]]);
});
