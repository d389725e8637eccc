import { describe, expect, it } from "vitest";
import type { Cluster } from "../../../infra/demo/cluster/cluster.ts";
import type { PlannedChange } from "../../../infra/demo/cluster/chain/planned-changes.ts";
import { EPOCH_MILLISECONDS, FIRST_EPOCH, makeCluster, STARTS_AT } from "./story.ts";

const EPOCHS = 8;
const SIZES = [12, 40, 200];

function planOf(cluster: Cluster): PlannedChange[] {
  return cluster.plannedChanges(FIRST_EPOCH + EPOCHS - 1);
}

/** Fraction of its epoch at which a change can be seen. */
function fractionOf({ atMilliseconds, epoch }: PlannedChange): number {
  return (atMilliseconds - STARTS_AT) / EPOCH_MILLISECONDS - (epoch - FIRST_EPOCH);
}

function stateOf(cluster: Cluster, vote: string, timeMilliseconds: number) {
  return cluster.at(timeMilliseconds).validators.find(({ votePubkey }) => votePubkey === vote);
}

describe("commission changes", () => {
  it.each(SIZES)("with %i validators there is a rug in every quarter of every epoch", (validators) => {
    const rugs = planOf(makeCluster({ validators, stakeAccounts: 6 * validators })).filter(
      ({ source, kind }) => source === "COMMISSION" && kind === "RUG",
    );
    const quarters = new Set(rugs.map((rug) => (rug.epoch - FIRST_EPOCH) * 4 + Math.floor(fractionOf(rug) * 4)));
    expect(quarters.size).toBe(EPOCHS * 4);
  });

  it.each(SIZES)("with %i validators all severities and a decrease are there", (validators) => {
    const plan = planOf(makeCluster({ validators, stakeAccounts: 6 * validators }));
    for (const source of ["COMMISSION", "MEV"]) {
      const kinds = new Set(plan.filter((change) => change.source === source).map(({ kind }) => kind));
      expect(kinds).toEqual(new Set(["RUG", "CAUTION", "INFO"]));
    }
    expect(plan.some(({ fromBasisPoints, toBasisPoints }) => (fromBasisPoints ?? 0) > (toBasisPoints ?? 0))).toBe(true);
    expect(
      plan.some(
        ({ kind, source, fromBasisPoints, toBasisPoints }) =>
          kind === "INFO" && source === "COMMISSION" && (toBasisPoints ?? 0) > (fromBasisPoints ?? 0),
      ),
    ).toBe(true);
  });

  it("each planned change shows from its millisecond on, and not one before", () => {
    const cluster = makeCluster();
    const changes = planOf(cluster).filter(({ source }) => source === "COMMISSION");
    expect(changes.length).toBeGreaterThan(EPOCHS * 8);
    for (const { vote, atMilliseconds, fromBasisPoints, toBasisPoints } of changes) {
      expect(stateOf(cluster, vote, atMilliseconds - 1)?.basisPoints).toBe(fromBasisPoints);
      expect(stateOf(cluster, vote, atMilliseconds)?.basisPoints).toBe(toBasisPoints);
    }
  });

  it("nothing changes that is not planned", () => {
    const cluster = makeCluster();
    const planned = planOf(cluster).filter(({ source }) => source === "COMMISSION").length;
    const seen = new Map<string, number>();
    let changes = 0;
    for (let minute = 0; minute < EPOCHS * 1440; minute++) {
      for (const { votePubkey, basisPoints } of cluster.at(STARTS_AT + minute * 60_000).validators) {
        if (seen.has(votePubkey) && seen.get(votePubkey) !== basisPoints) changes++;
        seen.set(votePubkey, basisPoints);
      }
    }
    expect(changes).toBe(planned);
  });

  it("flippers take everything just before each epoch ends and nothing soon after", () => {
    const cluster = makeCluster();
    const flippers = cluster.members.filter(({ commission }) => commission.role === "flipper");
    expect(flippers.length).toBeGreaterThan(0);
    for (const { vote } of flippers) {
      for (let epoch = 0; epoch < EPOCHS; epoch++) {
        const [noon, before, after] = [epoch + 0.5, epoch + 0.999, epoch + 1.02].map(
          (position) => stateOf(cluster, vote.address, STARTS_AT + position * EPOCH_MILLISECONDS)?.basisPoints,
        );
        expect([noon, before, after]).toEqual([0, 10_000, 0]);
      }
    }
  });

  it("some commissions lie between whole percents, and some above the whole", () => {
    const all = makeCluster()
      .at(STARTS_AT)
      .validators.map(({ basisPoints }) => basisPoints);
    expect(all.some((basisPoints) => basisPoints % 100 !== 0)).toBe(true);
    expect(all).toContain(15_000);
  });

  it("a MEV commission is the same in all of an epoch, and is switched off and on", () => {
    const plan = planOf(makeCluster()).filter(({ source }) => source === "MEV");
    const perEpoch = new Set(plan.map(({ vote, epoch }) => `${vote} ${epoch}`));
    expect(perEpoch.size).toBe(plan.length);
    expect(plan.some(({ toBasisPoints }) => toBasisPoints === null)).toBe(true);
    expect(plan.some(({ fromBasisPoints, kind }) => fromBasisPoints === null && kind === "CAUTION")).toBe(true);
    expect(new Set(plan.filter(({ kind }) => kind === "RUG").map(({ epoch }) => epoch)).size).toBe(EPOCHS);
  });

  it("alpenglow has no MEV", () => {
    const plan = planOf(makeCluster({ network: "alpenglow" }));
    expect(new Set(plan.map(({ source }) => source))).toEqual(new Set(["COMMISSION"]));
  });
});
