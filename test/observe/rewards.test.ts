import { afterEach, describe, expect, it } from "vitest";
import { agreeOnPaid, type AgreedPaid } from "../../generator/agree/paid.ts";
import { snapshotEntrySchema, type SnapshotEntry } from "../../generator/entries/entry.ts";
import { createObserver } from "../../generator/observe/observation.ts";
import { makeCluster, timeAt } from "../cluster/_cluster.ts";
import { createCluster } from "../cluster/cluster.ts";
import { startSimulator } from "../cluster/simulator.ts";
import { listsWithout } from "../story/witnesses.ts";
import { asking, entryOf, failed, WHOLE_SIDES } from "./observing.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const cluster = makeCluster();
const { members, options } = cluster;
type Cluster = typeof cluster;

/** A snapshot of the simulated cluster at a place in its story, in epochs. */
async function snapshotAt(position: number, of: Cluster = cluster): Promise<SnapshotEntry> {
  const now = () => timeAt(position);
  const simulator = await startSimulator({ clusters: [of], now });
  const { network } = of.options;
  const observer = createObserver({
    network,
    endpoints: simulator.rpcUrls(network),
    mevUrl: null,
    locations: null,
    genesis: of.genesisHash,
    now,
  });
  closing.push(
    () => observer.close(),
    () => simulator.close(),
  );
  return entryOf(await observer.snapshot(asking({ ...WHOLE_SIDES, readRewards: true })));
}

function paidIn(entry: SnapshotEntry): Map<string, AgreedPaid["paid"]> {
  const agreed = agreeOnPaid(entry, listsWithout(null));
  return new Map(agreed?.validators.map(({ vote, paid }) => [vote, paid]));
}

describe("what an epoch paid", () => {
  it("is read to the basis point, for all that were paid", async () => {
    const paid = paidIn(await snapshotAt(6.1));
    const closed = options.firstEpoch + 5;
    const { moment } = cluster.at(timeAt(6));
    const ofSet = members.filter((member) => cluster.stakes.isInSet(member, 5));
    const hasCredits = (member: (typeof members)[number]) =>
      cluster.creditsAt(member, moment).some((row) => row[0] === closed);
    const taken = ofSet.map((member) => {
      // At the end of epoch 3, the last state before epoch 4 began.
      const basisPoints = cluster.commissions.basisPointsIn(member, 3, 0.999_999);
      const told = hasCredits(member) ? Math.min(basisPoints, 10_000) : "no_rewards";
      return [member.vote.address, told] as const;
    });
    expect(taken.length).toBeGreaterThan(30);
    expect(new Set(taken.map(([, basisPoints]) => basisPoints)).size).toBeGreaterThan(8);
    expect(taken.map(([vote]) => [vote, paid.get(vote)])).toEqual(taken);
  });

  it("is kept as every witness answers it", async () => {
    const entry = await snapshotAt(6.1);
    expect(entry.rewards).toMatchObject({
      state: "ok",
      value: { epoch: options.firstEpoch + 5, answers: Array(3).fill({ state: "ok" }) },
    });
    const inJournal: unknown = JSON.parse(
      JSON.stringify(entry, (_, value: unknown) =>
        typeof value === "bigint" ? value.toString() : value,
      ),
    );
    expect(snapshotEntrySchema.parse(inJournal)).toEqual(entry);
  });

  it("is asked of two accounts of each validator, the largest that were active in it", async () => {
    const { rewards } = await snapshotAt(6.1);
    if (rewards.state !== "ok") throw new Error("it was not read");
    const { validators, answers } = rewards.value;
    const [answer] = answers;
    if (answer?.state !== "ok") throw new Error("no answer");
    const accounts = validators.flatMap(([, keys]) => keys);
    expect(new Set(accounts).size).toBe(accounts.length);
    expect(validators.filter(([, keys]) => keys.length === 2).length).toBeGreaterThan(30);
    expect(answer.stakes.length).toBe(accounts.length);
    for (const row of answer.stakes) {
      const [stake, activationEpoch] = row ?? [];
      expect(stake).toBeGreaterThan(0n);
      expect(activationEpoch ?? 0).toBeLessThan(options.firstEpoch + 5);
    }
  });

  it("waits until all is paid", async () => {
    const { rewards } = await snapshotAt(6.000_001);
    expect(rewards).toEqual(
      failed(`the rewards of epoch ${options.firstEpoch + 5} are not paid yet`),
    );
  });

  it("is not read without a scan of the stake accounts", async () => {
    const refused = createCluster({
      ...{ startsAt: timeAt(0), epochMilliseconds: options.epochMilliseconds, stakeAccounts: 400 },
      refusedStakeScans: ["whole", "by page", "by voter"],
    });
    const { stakeAccounts, rewards } = await snapshotAt(6.1, refused);
    expect(stakeAccounts.state).toBe("failed");
    expect(rewards).toEqual({ state: "skipped", off: false });
  });
});
