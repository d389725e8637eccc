import { describe, expect, it } from "vitest";
import type { ClusterState, ValidatorState } from "../../../infra/demo/cluster/cluster.ts";
import { findVote, FIRST_EPOCH, makeCluster, MINUTE, ofSize, SIZES, statesOf } from "./_cluster.ts";

const EPOCHS = 5;
const cluster = makeCluster();
const states = statesOf(cluster, EPOCHS);

describe("delinquency", () => {
  it("hits single validators for some minutes in every epoch", () => {
    for (let ordinal = 0; ordinal < EPOCHS; ordinal++) {
      const failures = cluster.outages.delinquenciesOf(ordinal);
      expect(failures.length).toBeGreaterThanOrEqual(2);
      for (const { member, window } of failures) {
        const from = cluster.calendar.timeOf(ordinal, window.fromSlotIndex);
        expect(cluster.calendar.timeOf(ordinal, window.toSlotIndex) - from).toBeGreaterThanOrEqual(4 * MINUTE);
        expect(findVote(cluster.at(from), member.vote.address)?.delinquent ?? true).toBe(true);
      }
    }
  });

  it.each(SIZES)("is an incident at no other time among %i validators", (size) => {
    const outside = statesOf(ofSize(size), 2).filter(
      ({ moment }) => moment.ordinal !== 0 || Math.abs(moment.position - 0.62) > 0.002,
    );
    expect(Math.max(...outside.map(delinquentShare))).toBeLessThan(1 / 3);
  });

  it("follows from votes that only ever advance", () => {
    const newest = new Map<string, number>();
    for (const { validators, moment } of states)
      for (const { votePubkey, lastVote, delinquent } of validators) {
        expect(lastVote).toBeGreaterThanOrEqual(newest.get(votePubkey) ?? 0);
        expect(delinquent).toBe(lastVote <= moment.slot - 128);
        newest.set(votePubkey, lastVote);
      }
  });
});

function delinquentShare({ validators }: ClusterState): number {
  const sum = (some: readonly ValidatorState[]) =>
    some.reduce((total, { activatedStake }) => total + Number(activatedStake), 0);
  return sum(validators.filter(({ delinquent }) => delinquent)) / sum(validators);
}

describe("coming and going", () => {
  const voteOf = (role: string) => cluster.members.find(({ life }) => life.role === role)!.vote.address;

  it("one validator vanishes with its account and returns within two epochs and a half", () => {
    const vote = voteOf("vanisher");
    const present = states.map((state) => findVote(state, vote) !== undefined);
    const gone = present.indexOf(false);
    const back = present.indexOf(true, gone);
    expect([present[0], gone > 0]).toEqual([true, true]);
    expect((back - gone) / 144).toBeGreaterThan(0.9);
    expect((back - gone) / 144).toBeLessThan(2.5);
    const accounts = [gone, back].map((look) => cluster.accounts.at(vote, states[look]!.moment, null) !== null);
    expect(accounts).toEqual([false, true]);
  });

  it("one validator is created in a later epoch, without stake until the next", () => {
    const vote = voteOf("newborn");
    const first = states.find((state) => findVote(state, vote) !== undefined)!;
    expect([first.moment.epoch, findVote(first, vote)?.activatedStake]).toEqual([FIRST_EPOCH + 1, 0n]);
    const later = states.find(({ moment }) => moment.epoch === FIRST_EPOCH + 2)!;
    expect(findVote(later, vote)?.activatedStake).toBeGreaterThan(0n);
  });
});
