import { describe, expect, it } from "vitest";
import type { Cluster } from "../../../infra/demo/cluster/cluster.ts";
import { encodePublicKey } from "../../../generator/chain/public-key.ts";
import { makeCluster, parseExact, timeAt } from "./story.ts";

interface Row {
  pubkey: string;
  account: { data: [string, string]; lamports: number | bigint; owner: string; rentEpoch: bigint; space: number };
}

const SLICE = { offset: 124, length: 56 };
const U64_MAX = 2n ** 64n - 1n;

function rowsAt(
  cluster: Cluster,
  position: number,
  filters: Parameters<Cluster["stakeProgram"]["rows"]>[2] = [],
): Row[] {
  const pieces = cluster.stakeProgram.rows(cluster.at(timeAt(position)).moment, SLICE, filters);
  return parseExact(`[${Buffer.concat([...pieces]).toString()}]`) as Row[];
}

function delegationOf({ account }: Row) {
  const data = Buffer.from(account.data[0], "base64");
  return {
    voter: encodePublicKey(data.subarray(0, 32)),
    stake: data.readBigUInt64LE(32),
    activation: data.readBigUInt64LE(40),
    deactivation: data.readBigUInt64LE(48),
  };
}

/** What each voter's delegations come to in an epoch, by the rule explorers use. */
function totalsAt(cluster: Cluster, position: number) {
  const { epoch } = cluster.at(timeAt(position)).moment;
  const now = BigInt(epoch);
  const totals = new Map<string, { active: bigint; activating: bigint; deactivating: bigint }>();
  for (const row of rowsAt(cluster, position)) {
    const { voter, stake, activation, deactivation } = delegationOf(row);
    const total = totals.get(voter) ?? { active: 0n, activating: 0n, deactivating: 0n };
    totals.set(voter, total);
    if (activation === deactivation && activation !== U64_MAX) continue;
    if (activation === now) total.activating += stake;
    else if ((activation < now || activation === U64_MAX) && deactivation >= now) total.active += stake;
    if (deactivation === now && activation < now) total.deactivating += stake;
  }
  return totals;
}

describe("the Stake program", () => {
  const cluster = makeCluster({ stakeAccounts: 1003 });

  it("has exactly as many accounts as asked for, each at its own address of 32 bytes", () => {
    const rows = rowsAt(cluster, 0.5);
    expect(rows.length).toBe(1003);
    expect(new Set(rows.map(({ pubkey }) => pubkey)).size).toBe(1003);
    for (const { account } of rows) expect(account).toMatchObject({ rentEpoch: U64_MAX, space: 200 });
  });

  it("adds up to the active stake of every validator in every epoch", () => {
    for (const position of [0.5, 1.5, 2.5, 3.5]) {
      const totals = totalsAt(cluster, position);
      for (const { votePubkey, activatedStake } of cluster.at(timeAt(position)).validators) {
        expect(totals.get(votePubkey)?.active).toBe(activatedStake);
      }
    }
  });

  it("becomes the next epoch's stake: what is active and joins, less what leaves", () => {
    const [now, next] = [totalsAt(cluster, 1.5), totalsAt(cluster, 2.5)];
    let moved = 0;
    for (const [voter, { active, activating, deactivating }] of now) {
      expect(next.get(voter)?.active).toBe(active + activating - deactivating);
      if (activating > 0n && deactivating > 0n) moved++;
    }
    expect(moved).toBeGreaterThan(20);
  });

  it("has accounts that never were active, and ones active from the beginning", () => {
    const all = rowsAt(cluster, 0.5).map(delegationOf);
    expect(all.some(({ activation, deactivation }) => activation === deactivation && activation !== U64_MAX)).toBe(
      true,
    );
    expect(all.some(({ activation }) => activation === U64_MAX)).toBe(true);
  });

  it("can be asked for one voter's accounts", () => {
    const [member] = cluster.members;
    const rows = rowsAt(cluster, 0.5, [{ dataSize: 200 }, { offset: 124, bytes: member!.vote.bytes }]);
    const expected = rowsAt(cluster, 0.5).filter((row) => delegationOf(row).voter === member!.vote.address);
    expect(rows.length).toBeGreaterThan(5);
    expect(rows).toEqual(expected);
    expect(rowsAt(cluster, 0.5, [{ dataSize: 199 }])).toEqual([]);
  });
});
