import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeCluster, openStage, parseExact, timeAt, type Stage } from "./story.ts";

const FIRST_EPOCH = 1060;
const EPOCHS_BEFORE = 60;
const UNSET_MEV = 65_535;
const cluster = makeCluster();
let stage: Stage;

beforeAll(async () => {
  stage = await openStage([cluster]);
});
beforeEach(() => {
  stage.clock.now = timeAt(2.5);
});
afterAll(() => stage.close());

interface Row {
  epoch: number;
  commission: number;
  mev_commission: number;
  activated_stake_lamports: number | bigint;
  rank: number;
}

async function record(vote: string): Promise<{ status: number; vote_account: string; history: Row[] }> {
  const response = await fetch(`${stage.simulator.mevUrl("mainnet")}/api/v1/validator_history/${vote}`);
  return {
    status: response.status,
    ...(parseExact(await response.text()) as { vote_account: string; history: Row[] }),
  };
}

const memberOf = (role: string) => cluster.members.find(({ commission }) => commission.role === role)!;

describe("the vendor's history of a validator", () => {
  it("has every epoch up to the running one, in the order of the ring", async () => {
    const { vote } = memberOf("steady");
    const { vote_account, history } = await record(vote.address);
    expect(vote_account).toBe(vote.address);
    const epochs = history.map(({ epoch }) => epoch);
    expect(epochs.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: EPOCHS_BEFORE + 3 }, (_, index) => FIRST_EPOCH - EPOCHS_BEFORE + index),
    );
    expect(epochs).not.toEqual(epochs.toSorted((a, b) => a - b));
    expect(epochs[0]).toBe(1024);
  });

  it("tells the commission as it was late in each epoch of the story, in percent", async () => {
    for (const member of cluster.members.filter(({ life }) => life.role === "normal")) {
      const { history } = await record(member.vote.address);
      for (const ordinal of [0, 1]) {
        const slotIndex = cluster.calendar.slotIndexAt(0.9);
        const basisPoints = cluster.commissions.basisPointsAt(member, { ordinal, slotIndex });
        const row = history.find(({ epoch }) => epoch === FIRST_EPOCH + ordinal);
        expect(row?.commission).toBe(Math.floor(basisPoints / 100));
        expect(row?.mev_commission).toBe(cluster.mev.basisPointsOf(member, ordinal) ?? UNSET_MEV);
      }
    }
  });

  it("misses a flip over the boundary, and shows a rise that lasts", async () => {
    const flipper = await record(memberOf("flipper").vote.address);
    expect(new Set(flipper.history.map(({ commission }) => commission))).toEqual(new Set([0]));
    const cautioner = await record(memberOf("cautioner").vote.address);
    const before = cautioner.history.filter(({ epoch }) => epoch < FIRST_EPOCH).map(({ commission }) => commission);
    expect(new Set(before).size).toBeGreaterThan(2);
  });

  it("ranks by active stake from 0", async () => {
    const rows = await Promise.all(
      cluster.members
        .filter(({ life }) => life.role === "normal")
        .map(async ({ vote }) => {
          const { history } = await record(vote.address);
          return history.find(({ epoch }) => epoch === FIRST_EPOCH - 1)!;
        }),
    );
    rows.sort((a, b) => a.rank - b.rank);
    expect(rows[0]).toMatchObject({ rank: 0, activated_stake_lamports: expect.any(BigInt) as unknown });
    const stakes = rows.map((row) => BigInt(row.activated_stake_lamports));
    expect(stakes).toEqual(stakes.toSorted((a, b) => Number(b - a)));
  });

  it("fails for whom it has no record, as the vendor does", async () => {
    const ghost = cluster.members.find(({ life }) => life.role === "ghost")!;
    expect(await record(ghost.vote.address)).toMatchObject({ status: 500, vote_account: "", history: [] });
  });
});
