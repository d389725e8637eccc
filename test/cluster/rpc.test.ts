import { describe, expect, it } from "vitest";
import { z } from "zod";
import { publicKeySchema } from "../../generator/chain/public-key.ts";
import { NETWORKS } from "../../generator/contract/networks.ts";
import { ENDPOINTS } from "./options.ts";
import { ask, call, decodeVoteAccount, makeCluster, send, timeAt, U64_MAX } from "./_cluster.ts";
import type { Asked, VoteAccounts, VoteRow } from "./_cluster.ts";

const cluster = makeCluster();

const askVotes = (asked: Asked = {}, config: object = {}, of = cluster) =>
  ask<VoteAccounts>(of, "getVoteAccounts", [config], asked);
const rowsOf = ({ current, delinquent }: VoteAccounts) => [...current, ...delinquent];

describe.each(NETWORKS)("%s", (network) => {
  const of = network === "mainnet" ? cluster : makeCluster({ network });
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

  it("answers getVoteAccounts in the nodes' shape", () => {
    const { current, delinquent } = askVotes({}, {}, of);
    const shape = z.array(voteRowSchema);
    shape.min(31).parse(current);
    shape.min(1).parse(delinquent);
  });

  it("knows whether it runs Alpenglow, and counts credits or lamports with one separator", () => {
    const certificate = ask<{ block: { block_id: number[] } } | null>(of, "getAgGenesisCert");
    const { current } = askVotes({}, {}, of);
    const separators = current.map(
      ({ epochCredits }) => epochCredits.filter(([epoch]) => epoch === U64_MAX).length,
    );
    const isAlpenglow = network !== "mainnet";
    expect(certificate?.block.block_id.length).toBe(isAlpenglow ? 32 : undefined);
    expect(Math.max(...separators)).toBe(isAlpenglow ? 1 : 0);
    const staked = current.filter(({ activatedStake }) => BigInt(activatedStake) > 0n);
    const earned = staked.map(
      ({ epochCredits }) => Number(epochCredits.at(-1)![1]) - Number(epochCredits.at(-1)![2]),
    );
    expect(Math.max(...earned) > 16 * 432_000).toBe(isAlpenglow);
  });
});

describe("getVoteAccounts", () => {
  it("hides the delinquent without stake unless asked, and finds one by its key", () => {
    const isUnstaked = ({ activatedStake }: VoteRow) => activatedStake === 0;
    const [usual, all] = [askVotes(), askVotes({}, { keepUnstakedDelinquents: true })];
    expect([usual.delinquent.some(isUnstaked), usual.current.some(isUnstaked)]).toEqual([
      false,
      true,
    ]);
    const hidden = all.delinquent.filter(isUnstaked);
    expect(hidden.length).toBe(1);
    const { votePubkey } = hidden[0]!;
    expect(rowsOf(askVotes({}, { votePubkey }))).toEqual([]);
    const found = askVotes({}, { votePubkey, keepUnstakedDelinquents: true });
    expect(found).toEqual({ current: [], delinquent: hidden });
  });

  it("rounds percents up on one endpoint and down on another, and leaves basis points out on an old one", () => {
    const [first, second, old] = ENDPOINTS.map((endpoint) => rowsOf(askVotes({ endpoint })));
    const odd = first!.find(
      ({ inflationRewardsCommissionBps }) => inflationRewardsCommissionBps! % 100 !== 0,
    )!;
    const { votePubkey, commission, inflationRewardsCommissionBps } = odd;
    const same = (rows: VoteRow[]) => rows.find((row) => row.votePubkey === votePubkey);
    expect(same(second!)).toMatchObject({
      commission: commission - 1,
      inflationRewardsCommissionBps,
    });
    expect(same(old!)).not.toHaveProperty("inflationRewardsCommissionBps");
    expect(first!.find((row) => row.inflationRewardsCommissionBps === 15_000)?.commission).toBe(
      150,
    );
  });

  it("is a lie on the first endpoint now and then, and the account on the second tells the truth", () => {
    const at = timeAt(1.4405);
    const ratesBy = (endpoint: "first" | "second") =>
      new Map(
        rowsOf(askVotes({ at, endpoint })).map((row) => [
          row.votePubkey,
          row.inflationRewardsCommissionBps,
        ]),
      );
    const [truth, told] = [ratesBy("second"), ratesBy("first")];
    const lies = [...told].filter(([vote, rate]) => truth.get(vote) !== rate);
    expect(lies.map(([, rate]) => rate)).toEqual([10_000]);
    const [vote] = lies[0]!;
    const params = [vote, { encoding: "base64" }];
    const asked = { at, endpoint: "second" } as const;
    const { value } = ask<{ value: { data: [string] } }>(cluster, "getAccountInfo", params, asked);
    expect(decodeVoteAccount(Buffer.from(value.data[0], "base64")).basisPoints).toBe(
      truth.get(vote),
    );
  });
});

describe("the other methods", () => {
  it("getClusterNodes shows client ids in all their renderings", () => {
    const big = makeCluster({ validators: 200, stakeAccounts: 1200 });
    const nodes = ask<{ pubkey: string; gossip: string | null; clientId?: unknown }[]>(
      big,
      "getClusterNodes",
    );
    const kindOf = ({ clientId: id }: { clientId?: unknown }) =>
      typeof id === "string"
        ? id.replace(/\(\d+\)$/, "()").replace(/^\w+$/, "name")
        : id === null
          ? null
          : typeof id;
    expect(new Set(nodes.map(kindOf))).toEqual(
      new Set(["name", "Unknown()", "number", null, "undefined"]),
    );
    expect(nodes.some(({ gossip }) => gossip?.startsWith("["))).toBe(true);
    expect(new Set(nodes.map(({ pubkey }) => pubkey)).size).toBe(nodes.length);
  });

  it("getBlockProduction only grows within an epoch, and never exceeds the leader slots", () => {
    let before: Record<string, [number, number]> = {};
    for (const position of [1.001, 1.2, 1.5, 1.999]) {
      const asked = { at: timeAt(position) };
      const { value } = ask<{ value: { byIdentity: typeof before } }>(
        cluster,
        "getBlockProduction",
        [],
        asked,
      );
      expect(Object.keys(value.byIdentity).length).toBeGreaterThan(15);
      for (const [identity, [leaderSlots, blocks]] of Object.entries(value.byIdentity)) {
        expect(blocks).toBeLessThanOrEqual(leaderSlots);
        expect(leaderSlots).toBeGreaterThanOrEqual(before[identity]?.[0] ?? 0);
        expect(blocks).toBeGreaterThanOrEqual(before[identity]?.[1] ?? 0);
      }
      before = value.byIdentity;
    }
    expect(Object.values(before).reduce((sum, [slots]) => sum + slots, 0) / 432_000).toBeCloseTo(
      1,
      1,
    );
  });

  it("getHealth says on the last endpoint by how much it is behind", () => {
    const lagging = { endpoint: "lagging", at: timeAt(1.33) } as const;
    expect(ask(cluster, "getHealth", [], { ...lagging, at: timeAt(1.25) })).toBe("ok");
    const { error } = call(cluster, "getHealth", [], lagging);
    const slot = ask<number>(cluster, "getSlot", [], lagging);
    const numSlotsBehind = ask<number>(cluster, "getSlot", [], { at: lagging.at }) - slot;
    expect(error).toMatchObject({ code: -32005, data: { numSlotsBehind } });
    expect(numSlotsBehind).toBeGreaterThan(200);
    expect(Math.max(...askVotes(lagging).current.map(({ lastVote }) => lastVote))).toBeLessThan(
      slot,
    );
  });

  it.each([
    ["{", -32700],
    ["[]", -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"getNothing"}', -32601],
  ])("refuse %s with the code of JSON-RPC", (body, code) => {
    expect(JSON.parse(send(cluster, body))).toMatchObject({ error: { code } });
  });

  const slot = ask<number>(cluster, "getSlot");
  const key = cluster.members[0]!.vote.address;
  it.each<[string, unknown[], object]>([
    ["getVoteAccounts", [{ votePubkey: "0" }], { code: -32602 }],
    ["getMultipleAccounts", [Array.from({ length: 101 }, () => key), {}], { code: -32602 }],
    ["getMultipleAccounts", [["not a key"], {}], { code: -32602 }],
    ["getMultipleAccounts", [[key], { encoding: "jsonParsed" }], { code: -32602 }],
    ["getBlockProduction", [{ range: { firstSlot: 5, lastSlot: 9 } }], { code: -32602 }],
    ["getBlockProduction", [{ range: { firstSlot: slot, lastSlot: slot + 1 } }], { code: -32602 }],
    ["getSlot", [{ minContextSlot: slot + 1 }], { code: -32016, data: { contextSlot: slot } }],
  ])("refuse %s of %j", (method, params, error) => {
    expect(call(cluster, method, params).error).toMatchObject(error);
  });
});
