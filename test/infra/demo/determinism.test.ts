import { describe, expect, it } from "vitest";
import { viewOf, ENDPOINTS } from "../../../infra/demo/cluster/endpoints.ts";
import { answerMevValidators } from "../../../infra/demo/cluster/mev-api.ts";
import type { Cluster } from "../../../infra/demo/cluster/cluster.ts";
import { answerRpc } from "../../../infra/demo/cluster/rpc.ts";
import { makeCluster, STARTS_AT, timeAt } from "./story.ts";

const POSITIONS = [0, 0.07, 0.35, 0.4405, 0.6205, 0.99, 1.3, 2.5, 6.72];
const CALLS = [
  "getVoteAccounts",
  "getClusterNodes",
  "getBlockProduction",
  "getEpochInfo",
  "getRecentPerformanceSamples",
];

/** Everything a cluster answers at a time, as text. */
function answersAt(cluster: Cluster, position: number): string[] {
  const time = timeAt(position);
  const stake = ["Stake11111111111111111111111111111111111111", { encoding: "base64", withContext: true }];
  const accounts = [cluster.members.slice(0, 30).map(({ vote }) => vote.address), { encoding: "base64" }];
  const requests: [string, unknown[]][] = [
    ...CALLS.map((method): [string, unknown[]] => [method, []]),
    ["getProgramAccounts", stake],
    ["getMultipleAccounts", accounts],
  ];
  const rpc = ENDPOINTS.flatMap((endpoint) =>
    requests.map(([method, params]) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      return Buffer.concat(answerRpc(viewOf(cluster, endpoint, time), body)).toString();
    }),
  );
  return [...rpc, answerMevValidators(cluster, cluster.at(time).moment, null).body];
}

describe("the story", () => {
  it("answers the same whatever was asked before", () => {
    const forwards = makeCluster();
    const inOrder = POSITIONS.map((position) => answersAt(forwards, position));
    const backwards = makeCluster();
    const inReverse = POSITIONS.toReversed().map((position) => answersAt(backwards, position));
    expect(inReverse.toReversed()).toEqual(inOrder);
    const alone = answersAt(makeCluster(), 6.72);
    expect(alone).toEqual(inOrder.at(-1));
  });

  it("is another one with another seed, and on another network", () => {
    const votes = (cluster: Cluster) => cluster.members.map(({ vote }) => vote.address);
    const all = [makeCluster(), makeCluster({ seed: 12 }), makeCluster({ network: "testnet" })].flatMap(votes);
    expect(new Set(all).size).toBe(all.length);
  });

  it("stands at its first slot before it starts", () => {
    const cluster = makeCluster();
    const { epoch, slotIndex, slot } = cluster.at(STARTS_AT - 5_000_000).moment;
    expect({ epoch, slotIndex, slot }).toEqual({ epoch: 1060, slotIndex: 0, slot: 1060 * 432_000 });
  });

  it("numbers testnet's slots after its short first epochs", () => {
    const cluster = makeCluster({ network: "testnet" });
    expect(cluster.calendar.schedule).toMatchObject({ warmup: true, firstNormalEpoch: 14, firstNormalSlot: 524_256 });
    expect(cluster.at(STARTS_AT).moment.slot).toBe(524_256 + (1060 - 14) * 432_000);
  });

  it("refuses options that cannot carry it", () => {
    expect(() => makeCluster({ validators: 11 })).toThrow(/validators/);
    expect(() => makeCluster({ stakeAccounts: 40 * 6 - 1 })).toThrow(/stakeAccounts/);
  });
});
