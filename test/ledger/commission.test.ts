import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { agrees, toCommission, toStoredCommission } from "../../generator/ledger/commission.ts";
import { check, eventsOf, FIRST_EPOCH, keyOf, snapshot, tell, withA } from "./story.ts";
import { history, type ToldPoint } from "./told-history.ts";

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

/*
 * Before basis points could be set (SIMD-0291, on mainnet epoch 1003) every account held a whole percent, and a percent is
 * all of it.
 */

const BASIS_POINTS_SINCE = 1003;
const A = keyOf("A").slice(0, 4);

/** Percents of epochs that follow each other, from one on. */
const from = (epoch: number, ...values: number[]): ToldPoint[] =>
  values.map((percent, index) => ({ at: epoch - FIRST_EPOCH + index, percent }));

describe("a public history", () => {
  const first = snapshot(0, withA({ bps: 500 }));

  it("tells of changes by one point as long as there were whole percents only", () => {
    const told = tell(first, history(5, { A: from(990, 5, 6, 6, 5) }));
    expect(eventsOf(told)).toEqual([
      `COMMISSION INFO 500→600 in ${991 - FIRST_EPOCH} of ${A}`,
      `COMMISSION INFO 600→500 in ${993 - FIRST_EPOCH} of ${A}`,
    ]);
  });

  it("of one point at a time tells each where it began", () => {
    const told = tell(first, history(5, { A: from(996, 5, 6, 7, 50) }));
    expect(eventsOf(told)).toEqual([
      `COMMISSION INFO 500→600 in ${997 - FIRST_EPOCH} of ${A}`,
      `COMMISSION INFO 600→700 in ${998 - FIRST_EPOCH} of ${A}`,
      `COMMISSION CAUTION 700→5000 in ${999 - FIRST_EPOCH} of ${A}`,
    ]);
  });

  it("proves nothing by one point since then", () => {
    expect(eventsOf(tell(first, history(5, { A: from(BASIS_POINTS_SINCE, 5, 6, 5) })))).toEqual([]);
    // A node that rounds shows 6 for anything above 5 %, and 5 % stood exactly.
    expect(eventsOf(tell(first, history(5, { A: from(BASIS_POINTS_SINCE - 1, 5, 6) })))).toHaveLength(1);
  });
});

describe("a list in percent", () => {
  /** The same entry in an epoch so many before its own. */
  const before = <E extends Entry & { epoch: number }>(entry: E): E => ({ ...entry, epoch: entry.epoch - 100 });
  const said = (percent: number) => withA({ percent });

  it("shows 89 and then 90 as a rug as long as there were whole percents only", () => {
    const told = tell(...[snapshot(0, said(89)), check(1, said(90)), check(2, said(90))].map(before));
    expect(eventsOf(told)).toEqual([`COMMISSION RUG 8900→9000 in -100 of ${A}`]);
  });

  it("proves nothing by one point since then", () => {
    expect(eventsOf(tell(snapshot(0, said(89)), check(1, said(90)), check(2, said(90))))).toEqual([]);
  });
});
