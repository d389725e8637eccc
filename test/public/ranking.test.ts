import { describe, expect, it } from "vitest";
import type { Share } from "../../generator/contract/stats.ts";
import { DIMENSIONS, readDimension, subtract, toRanking } from "../../public/pages/concentration/ranking.ts";

const toShares = (...lamports: string[]): Share[] =>
  lamports.map((text) => ({
    name: text,
    validatorCount: 1,
    activeStake: { lamports: text, sol: Number(text) / 1e9 },
    stakePercent: 0,
  }));

describe("a ranking of shares", () => {
  it("adds up to 100 % where rounded shares would not", () => {
    const ranking = toRanking(toShares("1", "1", "1"));
    expect(ranking.map(({ cumulativePercent }) => cumulativePercent)).toEqual([33.3333, 66.6667, 100]);
    expect(ranking.map(({ rank }) => rank)).toEqual([1, 2, 3]);
  });

  it("has bars as long as their share of the largest", () => {
    expect(toRanking(toShares("400", "100", "0")).map(({ barPercent }) => barPercent)).toEqual([100, 25, 0]);
  });

  it("is exact beyond what numbers hold", () => {
    const largest = "600000000000000000001";
    const [first] = toRanking(toShares(largest, "600000000000000000000"));
    expect(first?.cumulativePercent).toBe(50);
    expect(subtract(largest, "600000000000000000000")).toBe("1");
  });

  it("is empty without shares, and divides by no zero", () => {
    expect(toRanking([])).toEqual([]);
    expect(toRanking(toShares("0"))[0]).toMatchObject({ cumulativePercent: 0, barPercent: 0 });
  });
});

describe("what stake is shared by", () => {
  it("is by country unless the address names something else", () => {
    expect(readDimension(undefined).by).toBe("country");
    expect(readDimension("__proto__").by).toBe("country");
    for (const { by } of DIMENSIONS) expect(readDimension(by).by).toBe(by);
  });
});
