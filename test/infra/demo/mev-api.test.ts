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
