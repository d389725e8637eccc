import { describe, expect, it } from "vitest";
import { all, panelCheck, panelConfirm, panelSnapshot, type Held } from "./panel-story.ts";
import { crowd, eventsOf, FIRST_EPOCH, minutes, slotAt, tell, validatorOf, verdicts, withA } from "./story.ts";

const old = withA(500);
const risen = withA(10_000);
const RUG = "RUG 500→10000 in 0";
/** Ten minutes in which all witnesses agree, so that every rate is settled. */
const begin = (of: number) => [
  panelSnapshot(0, old, { of }),
  ...minutes(1, 9).map((minute) => panelCheck(minute, old, { of, by: (minute - 1) % of })),
];
/** Each of these minutes a check that shows the rise, and what the witnesses hold then. */
const asked = (at: number[], held: Held[]) =>
  at.flatMap((minute) => [panelCheck(minute, risen, { of: held.length }), panelConfirm(minute + 0.02, held)]);

describe("of two witnesses one alone", () => {
  const start = panelSnapshot(0, old, { of: 2 });

  it("decides nothing while the other's list lacks the account, though its accounts cannot be read", () => {
    const entries = minutes(1, 12).flatMap((minute) => [
      panelCheck(minute, minute % 2 === 1 ? risen : crowd(9), { of: 2, by: minute % 2 }),
      panelConfirm(minute + 0.1, ["silent", 10_000]),
    ]);
    expect(eventsOf(start, ...entries)).toEqual([]);
  });

  it("decides nothing because the other's answers are of slots that it has said are past", () => {
    const first = panelSnapshot(0, old, { of: 2, by: 1, ahead: [0, 140], held: [500, { bps: 500, ahead: 140 }] });
    const entries = minutes(1, 8).map((tenth) => {
      const behind = tenth - slotAt(tenth / 2) + slotAt(0);
      return panelConfirm(tenth / 2, [
        { bps: 500, ahead: behind },
        { bps: 10_000, ahead: 140 },
      ]);
    });
    expect(eventsOf(first, ...entries)).toEqual([]);
  });

  it("settles no first value while the other can be asked", () => {
    const first = panelSnapshot(0, old, { of: 2, by: 1 }, { accounts: [] });
    const alone = minutes(1, 8).map((minute) => panelCheck(minute, old, { of: 2, by: 1 }));
    expect(validatorOf(tell(first, ...alone), "A").inflationSettled).toBe(false);
    const silent = panelCheck(9, old, { of: 2, by: 1, ahead: [null] });
    expect(validatorOf(tell(first, ...alone, silent), "A").inflationSettled).toBe(true);
  });

  it("dates no change while they tell of different epochs", () => {
    const entries = minutes(1, 6).flatMap((minute) => [
      panelCheck(minute, risen, { of: 2, by: minute % 2 }, minute % 2 === 1 ? { epoch: FIRST_EPOCH + 3 } : {}),
      panelConfirm(minute + 0.1, all(2, 10_000)),
    ]);
    expect(eventsOf(start, ...entries)).toEqual([]);
  });

  it("that is a million slots ahead is not where the cluster is, though no pace is measured yet", () => {
    const ahead = [0, 1_000_000];
    expect(verdicts(start, panelCheck(1, old, { of: 2, by: 1, ahead }))).toBe("+-");
    expect(verdicts(start, panelCheck(2, old, { of: 2, by: 0, ahead }))).toBe("++");
  });
});

describe("a dispute", () => {
  const disputed = [...begin(2), ...asked([10], [10_000, 500])];
  const says = [
    { endpoint: "http://witness-0.example", commission: 10_000 },
    { endpoint: "http://witness-1.example", commission: 500 },
  ];

  it("tells who says what, and ends when one of them comes round", () => {
    expect(tell(...disputed).pending).toMatchObject([{ from: 500, to: 10_000, disputed: true, says }]);
    expect(tell(...disputed, panelConfirm(11.02, [500, 500])).pending).toEqual([]);
    expect(eventsOf(...disputed, panelConfirm(11.02, [10_000, 10_000]))).toEqual([RUG]);
  });

  it("is none while one of them has only not answered", () => {
    const told = tell(...begin(2), ...asked([10], [10_000, "silent"]));
    expect(told.pending).toMatchObject([{ disputed: false, says: [says[0], { ...says[1], commission: null }] }]);
  });
});
