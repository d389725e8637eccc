import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  ask,
  makeCluster,
  openStage,
  timeAt,
  type AccountReply,
  type Stage,
  type VoteAccounts,
  type VoteRow,
} from "./story.ts";

const cluster = makeCluster();
let stage: Stage;

beforeAll(async () => {
  stage = await openStage([cluster]);
});
beforeEach(() => {
  stage.clock.now = timeAt(1.25);
});
afterAll(() => stage.close());

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
