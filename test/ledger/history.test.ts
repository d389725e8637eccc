import { describe, expect, it, test } from "vitest";
import { NOT_RECORDED } from "../../generator/ledger/columns.ts";
import { commissionPoint, stakePoint } from "../../generator/ledger/stake/points.ts";
import { trackedEpochs } from "../../generator/ledger/tracked-epochs.ts";
import { FIRST_EPOCH, minutes, timeAt } from "../story/clock.ts";
import { foldStory, type Outcome } from "../story/fold.ts";
import { history } from "../story/history.ts";
import { check, snapshot } from "../story/observations.ts";
import { eventsOf, eventsIn, validatorOf } from "../story/outcome.ts";
import { withA } from "../story/validators.ts";

const first = snapshot(1, withA());
const seen = (minute: number, bps: number) =>
  [minute, minute + 0.5].map((at) => check(at, withA(bps)));
const toldAt = (minute: number, from: number, ...values: number[]) =>
  history(minute, { A: values.map((percent, index) => ({ at: from + index, percent })) });
const validatorIndexOf = (one: Outcome) => validatorOf(one, "A").validatorIndex;

function pointsOf(one: Outcome, from: number, to: number) {
  const validatorIndex = validatorIndexOf(one);
  return minutes(from, to).map((at) =>
    commissionPoint(one.ledger, "inflation", { epoch: FIRST_EPOCH + at, validatorIndex }),
  );
}

describe("a point", () => {
  it("of a gap of the tracking is filled, of epochs to come it is not", () => {
    expect(
      pointsOf(foldStory(first, ...seen(601, 500), toldAt(605, 1, 5, 100, 5, 5)), 0, 5),
    ).toEqual([...[500, 500, 10_000, 500, 500, 500]]);
    const beyond = foldStory(first, toldAt(10, 1, 100, 100));
    expect(pointsOf(beyond, 0, 2)).toEqual([500, null, null]);
    expect(trackedEpochs(beyond.ledger)).toEqual([FIRST_EPOCH]);
    expect(validatorOf(beyond, "A").history).toBeNull();
  });

  it.each([3, 130])(
    "that was observed is the one that counts, though a history is read at minute %i",
    (minute) => {
      const points = [-1, 0].map((at) => ({
        at,
        percent: at < 0 ? 7 : 99,
        mev: 900,
        stake: 5n,
        rank: 0,
      }));
      const one = foldStory(
        first,
        history(minute, { A: points }),
        check(121, withA()),
        history(131, { A: points }),
      );
      const validatorIndex = validatorIndexOf(one);
      const stakeOf = (at: number) =>
        stakePoint(one.ledger, { epoch: FIRST_EPOCH + at, validatorIndex });
      expect(pointsOf(one, -1, 1)).toEqual([700, 500, 500]);
      expect(stakeOf(0)?.lamports).toBe(1_000_000_000n);
      expect(stakeOf(-1)).toEqual({ lamports: 5n, rank: 1 });
      expect(eventsIn(one)).toEqual(["INFO 700→500 in 0"]);
    },
  );

  it("that no column can hold is left out, or cut to the largest", () => {
    const points = [
      { at: -2, stake: 2n ** 64n + 5n, rank: 1 },
      { at: -1, stake: 7n, rank: 4_000_000 },
    ];
    const one = foldStory(snapshot(1, withA({ stake: 2n ** 64n + 5n })), history(5, { A: points }));
    const stakes = [-2, -1, 0].map((at) =>
      stakePoint(one.ledger, { epoch: FIRST_EPOCH + at, validatorIndex: validatorIndexOf(one) }),
    );
    expect(stakes).toEqual([null, { lamports: 7n, rank: NOT_RECORDED - 1 }, null]);
  });
});

describe("what is remembered of a validator", () => {
  it("is the first epoch that anything tells of, and when the list said so", () => {
    const one = foldStory(first, history(5, { A: [{ at: -30, stake: 5n }] }));
    expect(validatorOf(one, "A")).toMatchObject({
      firstEpoch: FIRST_EPOCH - 30,
      updatedAt: timeAt(5),
    });
    expect(validatorOf(one, "crowd 1").firstEpoch).toBe(FIRST_EPOCH);
  });

  it.each([
    ["reaches over both readings", { from: -20, to: -11 }, -20],
    ["is the newer reading alone, if epochs lie between", { from: -30, to: -15 }, -10],
  ])("the span that was read %s", (_, earlier, from) => {
    const one = foldStory(
      first,
      history(4, { A: [] }, earlier),
      history(5, { A: [] }, { from: -10, to: -1 }),
    );
    expect(validatorOf(one, "A").history).toEqual({
      first: FIRST_EPOCH + from,
      last: FIRST_EPOCH - 1,
    });
  });
});

test("a cluster that restarted in an earlier epoch has no history of epochs it has not closed", () => {
  const story = [first, check(360, withA()), toldAt(361, 1, 25, 25)];
  expect(eventsOf(...story)).toEqual(["CAUTION 500→2500 in 1", "INFO 2500→500 in 3"]);
  const restarted = minutes(0, 11).map((index) => {
    return { ...check(120 + index, withA()), time: timeAt(365 + index) };
  });
  const one = foldStory(...story, ...restarted);
  expect(one.accepted.at(-1)).toEqual({ accepted: true });
  expect(eventsIn(one)).toEqual([]);
  expect(one.ledger.history.firstSlots.size).toBe(0);
  expect(validatorOf(one, "A").history).toBeNull();
});
