import { describe, expect, it } from "vitest";
import type { ChangeCost } from "../../generator/contract/cost.ts";
import { findPriced, readSol, toBasisText, toCostOf, toCostText, toYearly } from "../../public/format/cost.ts";
import { toEvents } from "./told.ts";

const sol = (whole: number) => ({ lamports: String(BigInt(whole) * 1_000_000_000n), sol: whole });

const COST: ChangeCost = {
  lamportsPerEpoch: "7391214215",
  per1000SolLamports: "147823",
  bounds: null,
  basis: {
    ...{ epoch: 1102, fromCommission: 5, toCommission: 100, inflationRate: 0.0385, isSettled: true },
    ...{ supply: sol(620_000_000), activeStake: sol(60_000), totalActiveStake: sol(420_000_000) },
    epochsPerYear: 365.242199,
  },
};

describe("what a change costs", () => {
  it.each([
    [0n, "no change"],
    [147_823n, "0.0001478 SOL less"],
    [-7_391_214_215n, "7.391 SOL more"],
    [739_121_421_546n, "739.1 SOL less"],
    [12_345_678_901_234n, "12,346 SOL less"],
    [1n, "0.000000001 SOL less"],
  ])("of %s lamports reads %s", (lamports, text) => expect(toCostText(lamports)).toBe(text));

  it("is for as much SOL as the address says, else for 1,000", () => {
    const read = (text?: string) => readSol(text === undefined ? {} : { sol: text });
    expect([read(), read("250"), read("1000000000")]).toEqual([1_000, 250, 1_000_000_000]);
    for (const text of ["0", "-5", "1.5", "1e3", "1000000001", "", "all"]) expect(read(text)).toBe(1_000);
    expect([toCostOf(COST, 1_000), toCostOf(COST, 250), toCostOf(COST, 1)]).toEqual([147_823n, 36_955n, 147n]);
    expect(toYearly(147_823n, COST)).toBe(53_991_198n);
  });

  it("comes with the numbers that it is made of, and says when they may change", () => {
    expect(toBasisText(COST)).toBe(
      "Calculated for epoch 1102: 3.85 % inflation a year on 620.00M SOL, 365.24 epochs a year, 60.0k of 420.00M SOL of active stake, " +
        "5 % before and 100 % after, average vote credits.",
    );
    const open = { ...COST, basis: { ...COST.basis, isSettled: false } };
    expect(toBasisText(open)).toMatch(/may change until the epoch is settled\.$/);
  });

  it("is that of the newest change which is paid, and known", () => {
    const none = { cost: null, supersededBy: null };
    const paid = { cost: COST, supersededBy: null };
    const events = toEvents(none, { ...paid, supersededBy: "another" }, { ...paid, id: "this" }, paid);
    expect(findPriced(events)?.id).toBe("this");
    expect(findPriced(toEvents(none))).toBeNull();
  });
});
