import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { NETWORKS, type Network } from "../../../generator/contract/networks.ts";
import { publicKeySchema } from "../../../generator/chain/public-key.ts";
import { ask, makeCluster, openStage, timeAt, type Stage, type VoteAccounts, type VoteRow } from "./story.ts";

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
