import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeCluster, openStage, parseExact, timeAt, type Stage } from "./story.ts";

const cluster = makeCluster();
let stage: Stage;

beforeAll(async () => {
  stage = await openStage([cluster]);
});
beforeEach(() => {
  stage.clock.now = timeAt(1.25);
});
afterAll(() => stage.close());

describe("the MEV vendor's API", () => {
  interface Row {
    vote_account: string;
    identity_account: string;
    mev_commission_bps: number;
    mev_rewards: number;
    running_jito: boolean;
    running_bam: boolean | null;
    priority_fee_commission_bps: number;
    active_stake: number | bigint;
  }

  async function list(body?: unknown): Promise<{ status: number; validators: Row[] }> {
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(`${stage.simulator.mevUrl("mainnet")}/api/v1/validators`, init);
    return {
      status: response.status,
      validators: (parseExact(await response.text()) as { validators: Row[] }).validators,
    };
  }

  it("lists who runs the vendor's client, with exact stakes", async () => {
    const { validators } = await list();
    expect(validators.length).toBeGreaterThan(20);
    expect(validators.length).toBeLessThan(35);
    expect(validators.every(({ running_jito }) => running_jito)).toBe(true);
    expect(validators.some(({ running_bam }) => running_bam === true)).toBe(true);
    expect(validators.some(({ active_stake }) => typeof active_stake === "bigint")).toBe(true);
    expect(validators.some(({ priority_fee_commission_bps }) => priority_fee_commission_bps === 5000)).toBe(true);
  });

  it("gives a closed epoch by POST, with the record of the epoch before of who had it switched off", async () => {
    stage.clock.now = timeAt(4.5);
    let off = 0;
    for (const ordinal of [1, 2, 3]) {
      const { validators } = await list({ epoch: 1060 + ordinal });
      const listed = new Map(validators.map((row) => [row.vote_account, row]));
      for (const member of cluster.members.filter(({ life }) => life.role === "normal")) {
        const [share, before] = [ordinal, ordinal - 1].map((one) => cluster.mev.basisPointsOf(member, one));
        expect(listed.get(member.vote.address)?.mev_commission_bps ?? null).toBe(share ?? before);
        if (share === null && before !== null) off++;
      }
      expect(validators.every(({ mev_rewards }) => mev_rewards > 0)).toBe(true);
    }
    expect(off).toBeGreaterThan(0);
  });

  it("shows the record of the epoch before until the new one is made", async () => {
    const change = cluster
      .plannedChanges(1062)
      .find(({ source, kind, epoch }) => source === "MEV" && kind === "RUG" && epoch === 1062)!;
    const shown = async (now: number) => {
      stage.clock.now = now;
      return (await list()).validators.find(({ vote_account }) => vote_account === change.vote)?.mev_commission_bps;
    };
    expect(await shown(change.atMilliseconds - 1)).toBe(change.fromBasisPoints);
    expect(await shown(change.atMilliseconds)).toBe(change.toBasisPoints);
  });

  it("fails for as long as its story says, and no longer", async () => {
    const failing = await openStage([makeCluster({ mevOutageEpochs: [1061, 1062] })]);
    const status = async (position: number, body?: string) => {
      failing.clock.now = timeAt(position);
      const init = body === undefined ? {} : { method: "POST", body };
      return (await fetch(`${failing.simulator.mevUrl("mainnet")}/api/v1/validators`, init)).status;
    };
    expect([await status(0.9), await status(1), await status(2.9), await status(3)]).toEqual([200, 500, 500, 200]);
    expect(await status(1.5, '{"epoch":1060}')).toBe(500);
    await failing.close();
  });

  it("fails with an empty list for an epoch to come, and refuses what is no request", async () => {
    expect(await list({ epoch: 1062 })).toEqual({ status: 500, validators: [] });
    const bad = await fetch(`${stage.simulator.mevUrl("mainnet")}/api/v1/validators`, { method: "POST", body: "{" });
    expect(bad.status).toBe(400);
    expect(stage.simulator.mevUrl("alpenglow")).toBeNull();
  });
});

const FIRST_EPOCH = 1060;
const EPOCHS_BEFORE = 60;
const UNSET_MEV = 65_535;
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
  beforeEach(() => {
    stage.clock.now = timeAt(2.5);
  });

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
