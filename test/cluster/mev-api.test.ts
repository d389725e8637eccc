import { describe, expect, it } from "vitest";
import { answerMevValidators, answerValidatorHistory } from "./rpc/mev-api.ts";
import { makeCluster, parseExact, timeAt } from "./_cluster.ts";
import { FIRST_EPOCH } from "./options.ts";

const cluster = makeCluster();
const normal = cluster.members.filter(({ life }) => life.role === "normal");

interface ListRow {
  vote_account: string;
  mev_commission_bps: number;
  mev_rewards: number;
  running_jito: boolean;
  running_bam: boolean | null;
  priority_fee_commission_bps: number;
  active_stake: number | bigint;
}

/** A GET, or a POST of a body, at a time of the story. */
function list(body: string | null = null, at = timeAt(1.25), of = cluster) {
  const answer = answerMevValidators(of, of.at(at).moment, body);
  return {
    status: answer.status,
    rows: (parseExact(answer.body) as { validators?: ListRow[] }).validators,
  };
}

describe("the MEV vendor's list", () => {
  it("has who runs the vendor's client, with exact stakes", () => {
    const rows = list().rows!;
    expect(rows).toSatisfy(({ length }: ListRow[]) => length > 20 && length < 35);
    expect(rows.every(({ running_jito }) => running_jito)).toBe(true);
    expect(rows.some(({ running_bam }) => running_bam === true)).toBe(true);
    expect(rows.some(({ active_stake }) => typeof active_stake === "bigint")).toBe(true);
    expect(
      rows.some(({ priority_fee_commission_bps }) => priority_fee_commission_bps === 5000),
    ).toBe(true);
  });

  it("gives a closed epoch by POST, with the record of the epoch before of who had it switched off", () => {
    let off = 0;
    for (const ordinal of [1, 2, 3]) {
      const rows = list(JSON.stringify({ epoch: FIRST_EPOCH + ordinal }), timeAt(4.5)).rows!;
      const shares = new Map(rows.map((row) => [row.vote_account, row.mev_commission_bps]));
      for (const member of normal) {
        const [share, before] = [ordinal, ordinal - 1].map((one) =>
          cluster.mev.basisPointsOf(member, one),
        );
        expect(shares.get(member.vote.address) ?? null).toBe(share ?? before);
        if (share === null && before !== null) off++;
      }
      expect(rows.every(({ mev_rewards }) => mev_rewards > 0)).toBe(true);
    }
    expect(off).toBeGreaterThan(0);
  });

  it.each([
    [0.9, null, 200],
    [1, null, 500],
    [2.9, null, 500],
    [1.5, '{"epoch":1060}', 500],
    [3, null, 200],
  ])("fails in the epochs that its story says, and no longer: at %d", (position, body, status) => {
    const failing = makeCluster({ mevOutageEpochs: [FIRST_EPOCH + 1, FIRST_EPOCH + 2] });
    expect(list(body, timeAt(position), failing).status).toBe(status);
  });

  it("fails with an empty list for an epoch to come, and refuses what is no request", () => {
    expect(list('{"epoch":1062}')).toEqual({ status: 500, rows: [] });
    for (const body of ["{", '{"epoch":"1060"}']) expect(list(body).status).toBe(400);
  });
});

interface HistoryRow {
  epoch: number;
  commission: number;
  mev_commission: number;
  activated_stake_lamports: number | bigint;
  rank: number;
}

describe("the vendor's history of a validator", () => {
  const memberOf = (role: string) =>
    cluster.members.find(({ commission }) => commission.role === role)!;

  function record({ vote }: (typeof normal)[number]) {
    const { status, body } = answerValidatorHistory(
      cluster,
      cluster.at(timeAt(2.5)).moment,
      vote.address,
    );
    return { status, ...(parseExact(body) as { vote_account: string; history: HistoryRow[] }) };
  }

  it("has every epoch from 60 before the story to the running one, in the order of the ring", () => {
    const { vote_account, history } = record(memberOf("steady"));
    expect(vote_account).toBe(memberOf("steady").vote.address);
    const epochs = history.map(({ epoch }) => epoch);
    const sorted = Array.from({ length: 63 }, (_, index) => FIRST_EPOCH - 60 + index);
    expect(epochs.toSorted((a, b) => a - b)).toEqual(sorted);
    expect(epochs[0]).toBe(1024);
  });

  it("tells the commission as it was late in each epoch of the story, in percent", () => {
    const slotIndex = cluster.calendar.slotIndexAt(0.9);
    for (const member of normal)
      for (const ordinal of [0, 1]) {
        const row = record(member).history.find(({ epoch }) => epoch === FIRST_EPOCH + ordinal);
        const basisPoints = cluster.commissions.basisPointsAt(member, { ordinal, slotIndex });
        const mev = cluster.mev.basisPointsOf(member, ordinal) ?? 65_535;
        expect(row).toMatchObject({
          commission: Math.floor(basisPoints / 100),
          mev_commission: mev,
        });
      }
  });

  it("ranks by active stake from 0", () => {
    const rows = normal.map((member) =>
      record(member).history.find(({ epoch }) => epoch === FIRST_EPOCH - 1)!,
    );
    const stakes = rows
      .toSorted((a, b) => a.rank - b.rank)
      .map((row) => BigInt(row.activated_stake_lamports));
    expect(stakes).toEqual(stakes.toSorted((a, b) => Number(b - a)));
    expect(Math.min(...rows.map(({ rank }) => rank))).toBe(0);
  });

  it("fails for whom it has no record, as the vendor does", () => {
    const ghost = cluster.members.find(({ life }) => life.role === "ghost")!;
    expect(record(ghost)).toMatchObject({ status: 500, vote_account: "", history: [] });
  });
});
