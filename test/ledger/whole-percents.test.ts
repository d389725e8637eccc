import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { history, type ToldPoint } from "./told-history.ts";
import { check, eventsOf, FIRST_EPOCH, keyOf, snapshot, tell, withA } from "./story.ts";

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
