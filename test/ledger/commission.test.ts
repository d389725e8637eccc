import { describe, expect, it } from "vitest";
import { agrees, toCommission, toStoredCommission } from "../../generator/ledger/commission.ts";

describe("percent against basis points", () => {
  it("lets a percent p stand for exactly the basis points strictly between 100(p−1) and 100(p+1), over all values", () => {
    const wrong: string[] = [];
    for (let percent = 0; percent <= 100; percent += 1) {
      const inexact = { basisPoints: percent * 100, exact: false };
      for (let basisPoints = 0; basisPoints <= 10_000; basisPoints += 1) {
        const expected = basisPoints > 100 * (percent - 1) && basisPoints < 100 * (percent + 1);
        if (
          agrees({ basisPoints, exact: true }, inexact) !== expected ||
          agrees(inexact, { basisPoints, exact: true }) !== expected
        ) {
          wrong.push(`${percent} % and ${basisPoints} basis points`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it("takes both ways of rounding a stored value for that value", () => {
    const wrong: number[] = [];
    for (let basisPoints = 0; basisPoints <= 10_000; basisPoints += 1) {
      const stored = { basisPoints, exact: true };
      const floor = agrees(stored, { basisPoints: Math.floor(basisPoints / 100) * 100, exact: false });
      const ceiling = agrees(stored, { basisPoints: Math.ceil(basisPoints / 100) * 100, exact: false });
      if (!floor || !ceiling) wrong.push(basisPoints);
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    [5, 5, true],
    [5, 6, true],
    [5, 7, false],
    [0, 100, false],
  ])("two percents %s and %s agree: %s", (one, other, expected) => {
    expect(agrees({ basisPoints: one * 100, exact: false }, { basisPoints: other * 100, exact: false })).toBe(expected);
  });

  it("tells precise values apart by a single basis point", () => {
    expect(agrees({ basisPoints: 750, exact: true }, { basisPoints: 751, exact: true })).toBe(false);
  });
});

describe("what a source said", () => {
  it.each([
    [
      { basisPoints: 750, percent: 8 },
      { basisPoints: 750, exact: true },
    ],
    [
      { basisPoints: null, percent: 8 },
      { basisPoints: 800, exact: false },
    ],
    [
      { basisPoints: 15_000, percent: 150 },
      { basisPoints: 10_000, exact: true },
    ],
    [
      { basisPoints: null, percent: 254 },
      { basisPoints: 10_000, exact: false },
    ],
    [
      { basisPoints: 0, percent: null },
      { basisPoints: 0, exact: true },
    ],
    [{ basisPoints: null, percent: null }, null],
  ])("reads %o as %o", (said, expected) => {
    expect(toCommission(said, { isWhole: false })).toEqual(expected);
  });

  it("takes a percent stored in the account itself for exact", () => {
    expect(toStoredCommission({ basisPoints: null, percent: 8 })).toEqual({ basisPoints: 800, exact: true });
  });
});
