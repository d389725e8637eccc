import { describe, expect, it, afterAll, beforeAll, beforeEach } from "vitest";
import { z } from "zod";
import { viewOf } from "../../../infra/demo/cluster/rpc/endpoints.ts";
import { ENDPOINTS } from "../../../infra/demo/cluster/options.ts";
import { answerMevValidators } from "../../../infra/demo/cluster/rpc/mev-api.ts";
import type { Cluster } from "../../../infra/demo/cluster/cluster.ts";
import { answerRpc } from "../../../infra/demo/cluster/rpc/rpc.ts";
import {
  makeCluster,
  STARTS_AT,
  timeAt,
  ask,
  openStage,
  type Stage,
  type VoteAccounts,
  type VoteRow,
} from "./story.ts";
import { NETWORKS, type Network } from "../../../generator/contract/networks.ts";
import { publicKeySchema } from "../../../generator/chain/public-key.ts";

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

const U64_MAX = 2n ** 64n - 1n;
const clusters = new Map(NETWORKS.map((network) => [network, makeCluster({ network })]));
let stage: Stage;

beforeAll(async () => {
  stage = await openStage([...clusters.values()]);
});
beforeEach(() => {
  stage.clock.now = timeAt(1.25);
});
afterAll(() => stage.close());

const u64 = z.union([z.int().min(0), z.bigint()]);
const voteRowSchema = z.strictObject({
  votePubkey: publicKeySchema,
  nodePubkey: publicKeySchema,
  activatedStake: u64,
  commission: z.int().min(0).max(255),
  inflationRewardsCommissionBps: z.int().min(0).max(65_535),
  epochVoteAccount: z.boolean(),
  epochCredits: z.array(z.tuple([u64, u64, u64])).max(5),
  lastVote: z.int().min(0),
  rootSlot: z.int().min(0),
});

describe.each(NETWORKS)("%s over a socket", (network) => {
  it("answers getVoteAccounts in the nodes' shape", async () => {
    const accounts = await ask<VoteAccounts>(stage, "getVoteAccounts", [], network);
    const schema = z.strictObject({ current: z.array(voteRowSchema), delinquent: z.array(voteRowSchema) });
    expect(schema.parse(accounts).current.length).toBeGreaterThan(30);
    expect(accounts.delinquent.length).toBeGreaterThan(0);
  });

  it("names itself by its genesis hash", async () => {
    const known: Partial<Record<Network, string>> = {
      mainnet: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
      testnet: "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY",
    };
    const hash = publicKeySchema.parse(await ask(stage, "getGenesisHash", [], network));
    if (known[network] !== undefined) expect(hash).toBe(known[network]);
  });

  it("tells the epoch and its schedule in agreement", async () => {
    const info = await ask<{ epoch: number; absoluteSlot: number; slotIndex: number; slotsInEpoch: number }>(
      stage,
      "getEpochInfo",
      [],
      network,
    );
    const schedule = await ask<{ slotsPerEpoch: number; firstNormalEpoch: number; firstNormalSlot: number }>(
      stage,
      "getEpochSchedule",
      [],
      network,
    );
    const first = schedule.firstNormalSlot + (info.epoch - schedule.firstNormalEpoch) * schedule.slotsPerEpoch;
    expect(info).toMatchObject({
      epoch: 1061,
      slotIndex: 108_000,
      slotsInEpoch: 432_000,
      absoluteSlot: first + 108_000,
    });
    expect(await ask(stage, "getSlot", [], network)).toBe(info.absoluteSlot);
  });

  it("knows whether it runs Alpenglow, and counts credits or lamports with one separator", async () => {
    const certificate = await ask<{ block: { block_id: number[] } } | null>(stage, "getAgGenesisCert", [], network);
    const { current } = await ask<VoteAccounts>(stage, "getVoteAccounts", [], network);
    const separators = current.map(({ epochCredits }) => epochCredits.filter(([epoch]) => epoch === U64_MAX).length);
    if (network === "mainnet") {
      expect(certificate).toBeNull();
      expect(Math.max(...separators)).toBe(0);
      return;
    }
    expect(certificate?.block.block_id.length).toBe(32);
    expect(Math.max(...separators)).toBe(1);
    const earned = current.filter(({ activatedStake }) => BigInt(activatedStake) > 0n).map(newestCredits);
    expect(Math.max(...earned)).toBeGreaterThan(16 * 432_000);
  });
});

function newestCredits({ epochCredits }: VoteRow): number {
  const [, credits = 0, previous = 0] = epochCredits.at(-1) ?? [];
  return Number(credits) - Number(previous);
}
