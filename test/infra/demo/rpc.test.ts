import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  ask,
  callRpc,
  fail,
  makeCluster,
  openStage,
  rpcUrl,
  timeAt,
  type AccountReply,
  type Stage,
  type VoteAccounts,
  type VoteRow,
} from "./story.ts";

const U64_MAX = 2n ** 64n - 1n;
const cluster = makeCluster();
let stage: Stage;

beforeAll(async () => {
  stage = await openStage([cluster]);
});
beforeEach(() => {
  stage.clock.now = timeAt(1.25);
});
afterAll(() => stage.close());

describe("the other methods", () => {
  it("getMultipleAccounts takes 100 keys and a slice, and answers null for no account", async () => {
    const { members } = cluster;
    const keys = [members[0]!.vote.address, "Va1idator1nfo111111111111111111111111111111"];
    const config = { encoding: "base64", dataSlice: { offset: 0, length: 193 } };
    const reply = await ask<{ context: { slot: number }; value: (AccountReply["value"] & { rentEpoch: bigint })[] }>(
      stage,
      "getMultipleAccounts",
      [keys, config],
    );
    expect(reply.value[0]).toMatchObject({
      owner: "Vote111111111111111111111111111111111111111",
      space: 3762,
      rentEpoch: U64_MAX,
    });
    expect(Buffer.from(reply.value[0]!.data[0], "base64").length).toBe(193);
    expect(reply.value[1]).toBeNull();
    const tooMany = Array.from({ length: 101 }, () => keys[0]);
    expect(await fail(stage, "getMultipleAccounts", [tooMany, config])).toMatchObject({ code: -32602 });
    expect(await fail(stage, "getMultipleAccounts", [["not a key"], config])).toMatchObject({ code: -32602 });
    expect(await fail(stage, "getMultipleAccounts", [keys, { encoding: "jsonParsed" }])).toMatchObject({
      code: -32602,
    });
  });

  it("getClusterNodes shows client ids in all their renderings", async () => {
    const big = makeCluster({ validators: 200, stakeAccounts: 1200 });
    const other = await openStage([big]);
    const nodes = (await callRpc<Record<string, unknown>[]>(rpcUrl(other, "mainnet"), "getClusterNodes")).result;
    await other.close();
    const ids = nodes.map((node) => ("clientId" in node ? node["clientId"] : "missing"));
    const kinds = ids.map((id) =>
      typeof id === "string"
        ? /^Unknown\(\d+\)$/.test(id)
          ? "unknown"
          : id === "missing"
            ? id
            : "name"
        : id === null
          ? "null"
          : typeof id,
    );
    expect(new Set(kinds)).toEqual(new Set(["name", "unknown", "number", "null", "missing"]));
    expect(nodes.some(({ gossip }) => String(gossip).startsWith("["))).toBe(true);
    expect(new Set(nodes.map(({ pubkey }) => pubkey)).size).toBe(nodes.length);
  });

  it("getBlockProduction only grows within an epoch, and never exceeds the leader slots", async () => {
    type Production = {
      value: { byIdentity: Record<string, [number, number]>; range: { firstSlot: number; lastSlot: number } };
    };
    let before: Production["value"]["byIdentity"] = {};
    for (const position of [1.001, 1.2, 1.5, 1.999]) {
      stage.clock.now = timeAt(position);
      const { value } = await ask<Production>(stage, "getBlockProduction");
      expect(Object.keys(value.byIdentity).length).toBeGreaterThan(15);
      for (const [identity, [leaderSlots, blocks]] of Object.entries(value.byIdentity)) {
        expect(blocks).toBeLessThanOrEqual(leaderSlots);
        expect(leaderSlots).toBeGreaterThanOrEqual(before[identity]?.[0] ?? 0);
        expect(blocks).toBeGreaterThanOrEqual(before[identity]?.[1] ?? 0);
      }
      before = value.byIdentity;
    }
    const leaderSlots = Object.values(before).reduce((sum, [slots]) => sum + slots, 0);
    expect(leaderSlots / 432_000).toBeGreaterThan(0.98);
    expect(leaderSlots / 432_000).toBeLessThan(1.01);
    const slot = await ask<number>(stage, "getSlot");
    expect(await fail(stage, "getBlockProduction", [{ range: { firstSlot: 5, lastSlot: 9 } }])).toMatchObject({
      code: -32602,
    });
    expect(await fail(stage, "getBlockProduction", [{ range: { firstSlot: slot, lastSlot: slot + 1 } }])).toMatchObject(
      { code: -32602 },
    );
  });

  it("getProgramAccounts gives the Config program raw and the Stake program in slices", async () => {
    type Rows = { pubkey: string; account: { data: [string, string]; owner: string } }[];
    const marker = { memcmp: { offset: 1, bytes: "Va1idator1nfo111111111111111111111111111111" } };
    const config = "Config1111111111111111111111111111111111111";
    const infos = await ask<Rows>(stage, "getProgramAccounts", [config, { encoding: "base64", filters: [marker] }]);
    expect(infos.length).toBe(cluster.accounts.info.length);
    expect(infos.every(({ account }) => account.owner === config)).toBe(true);
    const filters = [{ dataSize: 200 }, { memcmp: { offset: 0, bytes: "AgAAAA==", encoding: "base64" } }];
    const stake = await ask<{ context: { slot: number }; value: Rows }>(stage, "getProgramAccounts", [
      "Stake11111111111111111111111111111111111111",
      { encoding: "base64", withContext: true, dataSlice: { offset: 124, length: 56 }, filters },
    ]);
    expect(stake.value.length).toBe(400);
    expect(stake.value.every(({ account }) => Buffer.from(account.data[0], "base64").length === 56)).toBe(true);
    expect(stake.context.slot).toBe(await ask(stage, "getSlot"));
  });

  it("getRecentPerformanceSamples measures the slot time of the story", async () => {
    const samples = await ask<{ slot: number; numSlots: number; samplePeriodSecs: number }[]>(
      stage,
      "getRecentPerformanceSamples",
      [5],
    );
    expect(samples.length).toBe(5);
    for (const { numSlots, samplePeriodSecs } of samples) expect((samplePeriodSecs * 1000) / numSlots).toBe(200);
    expect(samples[0]!.slot).toBeGreaterThan(samples[4]!.slot);
  });

  it("getHealth says on the last endpoint by how much it is behind", async () => {
    expect(await ask(stage, "getHealth", [], "mainnet", 2)).toBe("ok");
    stage.clock.now = timeAt(1.33);
    const error = await fail(stage, "getHealth", [], 2);
    expect(error).toMatchObject({ code: -32005 });
    const behind = (error?.data as { numSlotsBehind: number }).numSlotsBehind;
    const [ahead, lagging] = await Promise.all(
      [0, 2].map((place) => ask<number>(stage, "getSlot", [], "mainnet", place)),
    );
    expect(ahead! - lagging!).toBe(behind);
    expect(behind).toBeGreaterThan(200);
    const { current } = await ask<VoteAccounts>(stage, "getVoteAccounts", [], "mainnet", 2);
    expect(current.length).toBeGreaterThan(30);
    expect(Math.max(...current.map(({ lastVote }) => lastVote))).toBeLessThan(lagging!);
  });
});

describe("what is asked wrongly", () => {
  const post = (body: string) => fetch(rpcUrl(stage, "mainnet"), { method: "POST", body });

  it("is answered with the codes of JSON-RPC", async () => {
    expect(await fail(stage, "getNothing")).toEqual({ code: -32601, message: "Method not found" });
    expect(await (await post("{")).json()).toMatchObject({ error: { code: -32700 }, id: null });
    expect(await (await post("[]")).json()).toMatchObject({ error: { code: -32600 } });
    expect(await fail(stage, "getVoteAccounts", [{ votePubkey: "0" }])).toMatchObject({ code: -32602 });
    const slot = await ask<number>(stage, "getSlot");
    expect(await fail(stage, "getSlot", [{ minContextSlot: slot + 1 }])).toMatchObject({
      code: -32016,
      data: { contextSlot: slot },
    });
  });

  it("is refused by method, path and length", async () => {
    expect((await fetch(rpcUrl(stage, "mainnet"))).status).toBe(405);
    expect((await fetch(`${stage.simulator.url}/nowhere`)).status).toBe(404);
    expect((await post("x".repeat(70_000))).status).toBe(413);
  });
});

describe("getVoteAccounts", () => {
  it("writes stakes above 2^53 exactly", async () => {
    const { current } = await ask<VoteAccounts>(stage, "getVoteAccounts");
    const stakes = current.map(({ activatedStake }) => BigInt(activatedStake)).sort((a, b) => (a < b ? 1 : -1));
    const expected = cluster.at(stage.clock.now).validators.map(({ activatedStake }) => activatedStake);
    expect(stakes[0]).toBeGreaterThan(2n ** 53n);
    expect(expected).toContain(stakes[0]);
  });

  it("hides the delinquent without stake unless asked, and finds one by its key", async () => {
    const usual = await ask<VoteAccounts>(stage, "getVoteAccounts");
    const all = await ask<VoteAccounts>(stage, "getVoteAccounts", [{ keepUnstakedDelinquents: true }]);
    expect(usual.delinquent.every(({ activatedStake }) => activatedStake !== 0)).toBe(true);
    const hidden = all.delinquent.filter(({ activatedStake }) => activatedStake === 0);
    expect(hidden.length).toBe(1);
    expect(usual.current.some(({ activatedStake }) => activatedStake === 0)).toBe(true);
    const votePubkey = hidden[0]!.votePubkey;
    expect(await ask(stage, "getVoteAccounts", [{ votePubkey }])).toEqual({ current: [], delinquent: [] });
    expect(await ask(stage, "getVoteAccounts", [{ votePubkey, keepUnstakedDelinquents: true }])).toEqual({
      current: [],
      delinquent: hidden,
    });
  });

  it("rounds percents up on one endpoint and down on another, and leaves basis points out on an old one", async () => {
    const [first, second, lagging] = await Promise.all(
      [0, 1, 2].map((place) => ask<VoteAccounts>(stage, "getVoteAccounts", [], "mainnet", place)),
    );
    const odd = first!.current.find(({ inflationRewardsCommissionBps }) => inflationRewardsCommissionBps! % 100 !== 0)!;
    const same = (accounts: VoteAccounts) => accounts.current.find(({ votePubkey }) => votePubkey === odd.votePubkey)!;
    expect(same(second!).commission).toBe(odd.commission - 1);
    expect(same(second!).inflationRewardsCommissionBps).toBe(odd.inflationRewardsCommissionBps);
    expect(same(lagging!).inflationRewardsCommissionBps).toBeUndefined();
    expect(
      first!.current
        .concat(first!.delinquent)
        .find(({ inflationRewardsCommissionBps }) => inflationRewardsCommissionBps === 15_000)?.commission,
    ).toBe(150);
  });

  it("is a lie on the first endpoint now and then, and the account on the second tells the truth", async () => {
    stage.clock.now = timeAt(1.4405);
    const [first, second] = await Promise.all(
      [0, 1].map((place) => ask<VoteAccounts>(stage, "getVoteAccounts", [], "mainnet", place)),
    );
    const truth = new Map(rowsOf(second!).map((row) => [row.votePubkey, row.inflationRewardsCommissionBps]));
    const lies = rowsOf(first!).filter((row) => truth.get(row.votePubkey) !== row.inflationRewardsCommissionBps);
    expect(lies.map((row) => row.inflationRewardsCommissionBps)).toEqual([10_000]);
    const account = await ask<AccountReply>(
      stage,
      "getAccountInfo",
      [lies[0]!.votePubkey, { encoding: "base64" }],
      "mainnet",
      1,
    );
    expect(basisPointsOf(account.value!)).toBe(truth.get(lies[0]!.votePubkey));
  });

  it("agrees with the vote accounts, in the same millisecond as a change", async () => {
    const change = cluster
      .plannedChanges(1061)
      .find(({ kind, source, epoch }) => kind === "RUG" && source === "COMMISSION" && epoch === 1061)!;
    for (const [now, expected] of [
      [change.atMilliseconds - 1, change.fromBasisPoints],
      [change.atMilliseconds, change.toBasisPoints],
    ] as const) {
      stage.clock.now = now;
      const { current } = await ask<VoteAccounts>(stage, "getVoteAccounts", [{ votePubkey: change.vote }]);
      const account = await ask<AccountReply>(stage, "getAccountInfo", [change.vote, { encoding: "base64" }]);
      expect(current[0]?.inflationRewardsCommissionBps).toBe(expected);
      expect(basisPointsOf(account.value!)).toBe(expected);
    }
  });
});

function basisPointsOf({ data: [text] }: { data: [string, string] }): number {
  const data = Buffer.from(text, "base64");
  return data.readUInt32LE(0) === 3 ? data.readUInt16LE(132) : data.readUInt8(68) * 100;
}

function rowsOf({ current, delinquent }: VoteAccounts): VoteRow[] {
  return [...current, ...delinquent];
}
