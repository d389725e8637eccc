import { describe, expect, it } from "vitest";
import {
  AVERAGE_CREDITS,
  shareOfRewards,
  toTrillionths,
} from "../../generator/ledger/stake/staking-rewards.ts";

const ALL = 10_000;

describe("the rewards of an epoch", () => {
  // Read from Agave 4.2.1 with epochs of 96 slots and all features: the supply within the
  // epoch, the rate in the next one, and what getInflationReward says the only delegation got.
  it.each<[epoch: number, supply: bigint, rate: number, paid: bigint]>([
    [3, 503000605477140407n, 0.07599996242543343, 23258859902n],
  ])(
    "are what a validator was paid for epoch %d, which it rounds down",
    (_, supply, rate, paid) => {
      const terms = {
        supply,
        validatorRate: toTrillionths(rate),
        setStake: 1n,
        slotsInEpoch: 96,
        slotMilliseconds: 200,
      };
      const difference =
        shareOfRewards(terms, { stake: 1n, basisPoints: ALL, credits: AVERAGE_CREDITS }) - paid;
      expect([0n, 1n]).toContain(difference);
    },
  );

  it("are rounded once, half away from none, either way", () => {
    // Five lamports: one a year on ten of stake, in an epoch of five years.
    const terms = {
      supply: 10n ** 12n,
      validatorRate: 1n,
      slotsInEpoch: 157_784_629_968,
      slotMilliseconds: 1,
      setStake: 10n,
    };
    const halfOf = (stake: bigint, basisPoints: number) =>
      shareOfRewards(terms, { stake, basisPoints, credits: AVERAGE_CREDITS });
    expect([halfOf(1n, ALL), halfOf(1n, -ALL), halfOf(1n, ALL - 1), halfOf(3n, ALL)]).toEqual([
      1n,
      -1n,
      0n,
      2n,
    ]);
  });
});
