import { describe, expect, it } from "vitest";
import type { ChangeCost } from "../../generator/contract/cost.ts";
import type { MevChangeCost } from "../../generator/contract/mev-cost.ts";
import * as cost from "../../public/format/cost.ts";
import { toPath } from "../../public/pages/validator/LossPicture.tsx";
import { toEvents } from "./told.ts";

const sol = (whole: number) => ({ lamports: String(BigInt(whole) * 1_000_000_000n), sol: whole });

const COST: ChangeCost = {
  lamportsPerEpoch: "7391214215",
  per1000SolLamports: "147823",
  bounds: null,
  basis: {
    ...{
      epoch: 1102,
      fromCommission: 5,
      toCommission: 100,
      inflationRate: 0.0385,
      isSettled: true,
    },
    ...{ supply: sol(620_000_000), activeStake: sol(60_000), totalActiveStake: sol(420_000_000) },
    epochsPerYear: 365.242199,
    voteCreditsRatio: null,
  },
};

describe("what a change costs", () => {
  it.each([
    [0n, "no change"],
    [147_823n, "0.0001478\u00a0SOL\u00a0less"],
    [-7_391_214_215n, "7.391\u00a0SOL\u00a0more"],
    [739_121_421_546n, "739.1\u00a0SOL\u00a0less"],
    [12_345_678_901_234n, "12,346\u00a0SOL\u00a0less"],
    [1n, "0.000000001\u00a0SOL\u00a0less"],
  ])("of %s lamports reads %s", (lamports, text) => expect(cost.toCostText(lamports)).toBe(text));

  it("is for as much SOL as the address says, else for 1,000", () => {
    const read = (text?: string) => cost.readSol(text === undefined ? {} : { sol: text });
    expect([read(), read("250"), read("1000000000")]).toEqual([1_000, 250, 1_000_000_000]);
    for (const text of ["0", "-5", "1.5", "1e3", "1000000001", "", "all"])
      expect(read(text)).toBe(1_000);
    expect([cost.toCostOf(COST, 1_000), cost.toCostOf(COST, 250), cost.toCostOf(COST, 1)]).toEqual([
      147_823n,
      36_955n,
      147n,
    ]);
    expect(cost.toYearly(147_823n, COST)).toBe(53_991_198n);
  });

  it("comes with the numbers that it is made of, and says when they may change", () => {
    expect(cost.toBasisText(COST)).toBe(
      "Calculated for epoch 1102: 3.85\u00a0% inflation a year on 620.00M SOL, 365.24 epochs a year, 60.0k of 420.00M SOL of active stake, " +
        "5\u00a0% before and 100\u00a0% after, average vote credits.",
    );
    const earning = (voteCreditsRatio: number) =>
      cost.toBasisText({ ...COST, basis: { ...COST.basis, voteCreditsRatio } });
    expect(earning(0.9876)).toMatch(/, vote credits at 98\.76\u00a0% of the average\.$/);
    expect(earning(0)).toMatch(/, no vote credits, so no rewards\.$/);
    const open = { ...COST, basis: { ...COST.basis, isSettled: false } };
    expect(cost.toBasisText(open)).toMatch(/may change until the epoch is settled\.$/);
  });

  it("is that of the newest change which is paid, and known", () => {
    const none = { cost: null, supersededBy: null };
    const paid = { cost: COST, supersededBy: null };
    const events = toEvents(
      none,
      { ...paid, supersededBy: "another" },
      { ...paid, id: "this" },
      paid,
    );
    expect(cost.findPriced(events)?.id).toBe("this");
    expect(cost.findPriced(toEvents(none))).toBeNull();
  });
});

const MEV_COST: MevChangeCost = {
  lamportsPerEpoch: "61894455430",
  per1000SolLamports: "22925149",
  basis: {
    ...{ epoch: 1063, fromCommission: 8, toCommission: 100, isSettled: true, isUpperBound: false },
    ...{ tips: { lamports: "67276581989", sol: 67.276581989 }, activeStake: sol(2_700_000) },
  },
};

describe("what a change of MEV commission costs", () => {
  const open = { ...MEV_COST, basis: { ...MEV_COST.basis, isSettled: false } };

  it("is a lower bound until the tips are counted, and comes with its numbers", () => {
    expect(cost.toMevCostText(61_894_455_430n, MEV_COST)).toBe("61.89\u00a0SOL\u00a0less");
    expect(cost.toMevCostText(61_894_455_430n, open)).toBe("at least 61.89\u00a0SOL\u00a0less");
    expect(cost.toMevCostText(-1_000_000n, open)).toBe("at least 0.001\u00a0SOL\u00a0more");
    expect(cost.toMevCostText(0n, open)).toBe("no change");
    const high = { ...MEV_COST, basis: { ...MEV_COST.basis, isUpperBound: true } };
    expect(cost.toMevCostText(61_894_455_430n, high)).toBe("at most 61.89\u00a0SOL\u00a0less");
    expect(cost.toMevBasisText(high)).toContain(
      "TipRouter's fee, which we do not read, comes before",
    );
    const basis =
      "Calculated for epoch 1063: 67.28 SOL of tips, 2.70M SOL of active stake, 8\u00a0% before and 100\u00a0% after. Each epoch has other tips.";
    expect(cost.toMevBasisText(MEV_COST)).toBe(basis);
    expect(cost.toMevBasisText(open)).toBe(
      `${basis} The tips of this one are not all counted yet.`,
    );
  });

  it("is that of the newest change with one, which documents of before do not have", () => {
    const events = toEvents(
      {},
      { mevCost: null },
      { mevCost: MEV_COST, id: "this" },
      { mevCost: MEV_COST },
    );
    expect(cost.findMevPriced(events)?.id).toBe("this");
    expect(cost.findMevPriced(toEvents({}, { cost: COST }))).toBeNull();
  });

  it("is said to be unknown, and why", () => {
    const [off, unread, other] = toEvents(
      { source: "MEV", fromDisabled: false, toDisabled: true },
      { source: "MEV", fromDisabled: false, toDisabled: false, effectiveEpoch: 1063 },
      { source: "COMMISSION" },
    );
    expect(cost.toUnpricedText(off!)).toBe("while MEV is disabled, delegators get no tips");
    expect(cost.toUnpricedText(unread!)).toBe("nobody has read the tips of epoch 1063");
    expect(cost.toUnpricedText(other!)).toBeNull();
  });
});

describe("what the rises of a validator have cost so far", () => {
  const rise = (first: number, to: number, more: object = {}) => ({
    source: "COMMISSION" as const,
    delta: to,
    fromCommission: 5,
    toCommission: to,
    effectiveEpoch: first,
    effectiveEpochLatest: first,
    supersededBy: null,
    cost: {
      ...COST,
      per1000SolLamports: "147823",
      basis: { ...COST.basis, fromCommission: 5, toCommission: to },
    },
    ...more,
  });
  const paid = (...rates: (number | null)[]) =>
    rates.map((appliedCommission, index) => ({ epoch: 10 + index, appliedCommission }));

  it.each<[string, object[], (number | null)[], object | null]>([
    [
      "each epoch that paid the higher rate counts, and none after it",
      [rise(11, 100)],
      [5, 100, 100, 5, 100],
      { lamports: 147_823n * 2n, epochs: 2, firstEpoch: 11, lastEpoch: 12, unpriced: 0 },
    ],
    [
      "all rises count, not the newest alone",
      [rise(13, 100), rise(11, 100)],
      [5, 100, 5, 100],
      { lamports: 147_823n * 2n, epochs: 2, firstEpoch: 11, lastEpoch: 13, unpriced: 0 },
    ],
    [
      "of several epochs that may be the first, that which paid it is",
      [rise(11, 100, { effectiveEpochLatest: 12 })],
      [5, 5, 100],
      { lamports: 147_823n, epochs: 1, firstEpoch: 12, lastEpoch: 12, unpriced: 0 },
    ],
    [
      "a rise whose cost is not known is told",
      [rise(13, 50, { cost: null }), rise(11, 100)],
      [5, 100, 5, 50],
      { lamports: 147_823n, epochs: 1, firstEpoch: 11, lastEpoch: 11, unpriced: 1 },
    ],
    [
      "a rise upon a rise is counted from what was paid before the first",
      [
        rise(13, 95, {
          fromCommission: 50,
          cost: {
            ...COST,
            per1000SolLamports: "45000",
            basis: { ...COST.basis, fromCommission: 50, toCommission: 95 },
          },
        }),
        rise(11, 50, {
          cost: {
            ...COST,
            per1000SolLamports: "45000",
            basis: { ...COST.basis, fromCommission: 5, toCommission: 50 },
          },
        }),
      ],
      [5, 50, 50, 95, 20, 5, 20],
      {
        lamports: 45_000n * 2n + 90_000n + 15_000n,
        ...{ epochs: 4, firstEpoch: 11, lastEpoch: 14, unpriced: 0 },
      },
    ],
    ["a rise that is still to come took nothing", [rise(14, 100)], [5, 5], null],
    ["a fall is no loss", [rise(11, 5, { delta: -95 })], [100, 5], null],
    ["what was superseded was never paid", [rise(11, 100, { supersededBy: "x" })], [5, 100], null],
    ["a rate that is not known is no rise", [rise(11, 100)], [5, null], null],
  ])("%s", (_, events, rates, loss) => {
    const told = cost.toLoss(toEvents(...events), paid(...rates), 1_000);
    const { until, ...sums } = told ?? { until: [] };
    expect(told && sums).toEqual(loss);
    if (told !== null) expect(until.at(-1)).toMatchObject({ lamports: told.lamports });
  });

  it("counts from the epoch that the reader chose, and tells how the sum grew", () => {
    const rates = paid(5, 100, 100, 5);
    const events = toEvents(rise(11, 100));
    const told = cost.toLoss(events, rates, 1_000);
    expect(told?.until.map(({ epoch, lamports }) => [epoch, lamports])).toEqual([
      [10, 0n],
      [11, 147_823n],
      [12, 295_646n],
      [13, 295_646n],
    ]);
    expect(cost.toLoss(events, rates, 1_000, 12)).toMatchObject({
      lamports: 147_823n,
      epochs: 1,
      firstEpoch: 12,
      until: [{ epoch: 12 }, { epoch: 13 }],
    });
    expect(cost.toLoss(events, rates, 1_000, 13)).toBeNull();
  });

  it("is drawn as steps, of which the last is the highest", () => {
    expect(toPath([0, 5, 10, 10])).toBe("M0 100V100H250V50H500V0H750V0H1000V100Z");
    expect(toPath([])).toBe("M0 100V100Z");
  });

  it("is exact for any stake: the sum is divided, not its parts", () => {
    const told = cost.toLoss(toEvents(rise(11, 100)), paid(5, 100, 100, 100), 1);
    expect(told?.lamports).toBe(443n);
  });
});

it.each([
  [{ from: 5, to: 95.5 }, "With 500\u00a0SOL you lose 0.2263\u00a0SOL an epoch."],
  [{ from: 100, to: 10 }, "With 500\u00a0SOL you gain 0.225\u00a0SOL an epoch."],
])("what comes next is told for the stake: %j", (rates, text) => {
  expect(cost.toNextText(rates, 500, 0.0005)).toBe(text);
});
