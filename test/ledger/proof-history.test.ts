import { describe, expect, it } from "vitest";
import { findContradictions } from "../../generator/ledger/contradictions.ts";
import type { Entry } from "../../generator/entries/entry.ts";
import { commissionPoint, trackedEpochs } from "../../generator/ledger/points.ts";
import { panelCheck, panelConfirm, panelSnapshot } from "./panel-story.ts";
import { AUTHORITY, setsA, transactions } from "./proof-story.ts";
import { FIRST_EPOCH, tell, validatorOf, withA, type Told } from "./story.ts";
import { history, percents } from "./told-history.ts";

/* What transactions tell of epochs before anything was observed, beside what a public history says of them. */

const authority = AUTHORITY.address;
const first = panelSnapshot(1, withA({ bps: 500 }), { of: 3, authority });
/** A minute of an epoch so many before the first. */
const minuteOf = (epoch: number, minute: number) => epoch * 120 + minute;
const search = (...rates: [epoch: number, minute: number, rate: number][]) =>
  transactions(3, 3, {
    after: -1_200,
    upTo: 2,
    found: rates.map(([epoch, minute, rate]) => ({ carried: setsA(minuteOf(epoch, minute), [rate]) })),
  });

function story(...entries: Entry[]): string[] {
  const { ledger } = tell(first, ...entries);
  return [...ledger.events]
    .sort((a, b) => a.slot - b.slot)
    .map(
      ({ from, to, epoch, confirmed, createdAt, transaction }) =>
        `${from}→${to} in ${epoch - FIRST_EPOCH}, ${confirmed ? "proved" : "sampled"}` +
        `${transaction === null ? "" : " by its transaction"}${createdAt === null ? ", of the past" : ""}`,
    );
}

const pointsOf = ({ ledger }: Told, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) =>
    commissionPoint(ledger, "inflation", {
      epoch: FIRST_EPOCH + from + index,
      ordinal: validatorOf({ ledger } as Told, "A").ordinal,
    }),
  );

describe("the history of the chain", () => {
  it("takes the place of what was sampled, whichever is read first", () => {
    const sampled = history(2, { A: percents(0, 100, 5, 5, 5) });
    const proved = search([-4, 30, 10_000], [-3, 20, 500]);
    const expected = [
      "0→10000 in -4, proved by its transaction, of the past",
      "10000→500 in -3, proved by its transaction, of the past",
    ];
    expect(story(sampled, proved)).toEqual(expected);
    expect(story(proved, { ...sampled, time: "2026-11-20T10:04:00.000Z" })).toEqual(expected);
  });

  it("dates a change that was made after the sample of its epoch into it", () => {
    const sampled = history(2, { A: percents(0, 0, 100, 100, 5) });
    expect(story(sampled)).toEqual(["0→10000 in -3, sampled, of the past", "10000→500 in -1, sampled, of the past"]);
    expect(story(sampled, search([-4, 110, 10_000], [-2, 119, 500]))).toEqual([
      "0→10000 in -4, proved by its transaction, of the past",
      "10000→500 in -2, proved by its transaction",
    ]);
  });

  it("says what stood at the end of its epochs, and makes them known", () => {
    const told = tell(first, search([-5, 30, 9_000], [-5, 40, 700], [-3, 20, 500]));
    expect(pointsOf(told, -5, 0)).toEqual([700, null, 500, null, null, 500]);
    expect(trackedEpochs(told.ledger).map((epoch) => epoch - FIRST_EPOCH)).toEqual([-5, -3, 0]);
  });

  it("makes no event of the first rate it tells of: nobody knows which one was before", () => {
    expect(story(search([-5, 30, 9_000], [-3, 20, 500]))).toEqual([
      "9000→500 in -3, proved by its transaction, of the past",
    ]);
  });

  it("makes news of what is at most two epochs old", () => {
    expect(story(search([-3, 30, 9_000], [-2, 20, 700], [-1, 20, 500]))).toEqual([
      "9000→700 in -2, proved by its transaction",
      "700→500 in -1, proved by its transaction",
    ]);
  });
});

describe("what contradicts it", () => {
  const contradictions = (...entries: Entry[]) => {
    const told = tell(first, ...entries);
    return findContradictions(told.ledger, validatorOf(told, "A").ordinal).map(({ epoch, ...one }) => ({
      ...one,
      epoch: epoch - FIRST_EPOCH,
    }));
  };

  it("a sample that none of the epoch's transactions explains", () => {
    const proved = search([-5, 30, 9_000], [-3, 20, 500]);
    expect(contradictions(history(2, { A: percents(90, 90, 42, 5, 5) }), proved)).toEqual([
      { epoch: -3, of: "sampled", says: 4_200, proved: 500 },
    ]);
    expect(contradictions(history(2, { A: percents(90, 90, 90, 5, 5) }), proved)).toEqual([]);
  });

  it("no change whose last step is known, though nobody tells which step stood at a boundary before it", () => {
    const steady = [panelSnapshot(110, withA({ bps: 500 }), { of: 3, authority })];
    const rates = [1, 2, 3].map(() => ({ bps: 700 }));
    const changed = [panelCheck(121, withA({ bps: 700 }), { of: 3, by: 1 }), panelConfirm(121.02, rates, authority)];
    const untold = [900, 10_000].map((rate) => ({
      carried: setsA(119, [rate]),
      lies: [1, 2, 3].map(() => ({ index: null })),
    }));
    const found = [...untold, { carried: setsA(120.5, [700]) }];
    const proofs = transactions(121.1, 3, { after: 0, upTo: 121.05, found });
    expect(tell(first, ...steady, ...changed, proofs).ledger.events).toMatchObject([{ to: 700, transaction: null }]);
    expect(contradictions(...steady, ...changed, proofs)).toEqual([]);
  });

  it("a change that was observed where every transaction is known, and none made it", () => {
    const rates = [1, 2, 3].map(() => ({ bps: 10_000 }));
    const changed = [panelCheck(10, withA({ bps: 10_000 }), { of: 3, by: 1 }), panelConfirm(10.02, rates, authority)];
    const nothing = transactions(11, 3, { after: -10, upTo: 10.5, found: [] });
    expect(contradictions(...changed, nothing)).toEqual([{ epoch: 0, of: "observed", says: 10_000, proved: null }]);
    expect(contradictions(...changed)).toEqual([]);
  });
});
