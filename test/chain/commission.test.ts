import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { agrees, toCommission, toStoredCommission } from "../../generator/chain/commission.ts";
import { FIRST_EPOCH } from "../story/clock.ts";
import { history, type SampledPoint } from "../story/history.ts";
import { check, snapshot } from "../story/observations.ts";
import { eventsOf } from "../story/outcome.ts";
import { withA } from "../story/validators.ts";

const exact = (basisPoints: number) => ({ basisPoints, exact: true });
const percent = (value: number) => ({ basisPoints: value * 100, exact: false });

describe("percent against basis points", () => {
  it("lets a percent p stand for exactly the basis points strictly between 100(p−1) and 100(p+1), over all values", () => {
    const wrong: string[] = [];
    for (let p = 0; p <= 100; p += 1)
      for (let basisPoints = 0; basisPoints <= 10_000; basisPoints += 1) {
        const expected = basisPoints > 100 * (p - 1) && basisPoints < 100 * (p + 1);
        const found = [
          agrees(exact(basisPoints), percent(p)),
          agrees(percent(p), exact(basisPoints)),
        ];
        if (found.some((one) => one !== expected))
          wrong.push(`${p} % and ${basisPoints} basis points`);
      }
    expect(wrong).toEqual([]);
  });

  it.each([
    [percent(5), percent(6), true],
    [percent(5), percent(7), false],
    [exact(750), exact(751), false],
  ])("%j and %j agree: %s", (one, other, expected) => {
    expect(agrees(one, other)).toBe(expected);
  });
});

describe("what a source said", () => {
  it.each([
    [750, 8, exact(750)],
    [null, 8, percent(8)],
    [15_000, 150, exact(10_000)],
    [null, 254, percent(100)],
    [0, null, exact(0)],
    [null, null, null],
  ])("reads %j basis points and %j percent as %j", (basisPoints, percent, expected) => {
    expect(toCommission({ basisPoints, percent }, { isWhole: false })).toEqual(expected);
  });

  it("takes a percent stored in the account itself for exact", () => {
    expect(toStoredCommission({ basisPoints: null, percent: 8 })).toEqual(exact(800));
  });
});

/* Before basis points (mainnet epoch 1003, SIMD-0291) every commission was a whole percent. */
const SINCE = 1003;

describe("a change by one point", () => {
  const first = snapshot(0, withA());
  const from = (epoch: number, ...values: number[]): SampledPoint[] =>
    values.map((value, index) => ({ at: epoch - FIRST_EPOCH + index, percent: value }));

  it.each<[string, SampledPoint[], string[]]>([
    [
      "is told of whole percents",
      from(990, 5, 6, 6, 5),
      ["INFO 500→600 in -109", "INFO 600→500 in -107"],
    ],
    ["proves nothing since then", from(SINCE, 5, 6, 5), []],
    // A node that rounds up shows 6 for anything above 5 %, and it was exactly 5 %.
    ["is told where the first was a whole one", from(SINCE - 1, 5, 6), ["INFO 500→600 in -97"]],
  ])("in a public history %s", (_, points, events) => {
    expect(eventsOf(first, history(5, { A: points }))).toEqual(events);
  });

  it("in a list in percent is a rug, from 89 to 90, while there were whole percents only", () => {
    const [before, ...later] = [89, 90, 90].map((value) => withA({ percent: value }));
    const entries = [snapshot(0, before!), ...later.map((facts, index) => check(index + 1, facts))];
    const earlier = entries.map((entry): Entry => ({ ...entry, epoch: entry.epoch - 100 }));
    expect(eventsOf(...earlier)).toEqual(["RUG 8900→9000 in -100"]);
    expect(eventsOf(...entries)).toEqual([]);
  });
});
