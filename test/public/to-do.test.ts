import { describe, expect, it } from "vitest";
import { findTask, toDeadline, toExcess } from "../../public/format/to-do.ts";

const EPOCH = 1140;

const toRates = (
  appliedCommissions: (number | null)[],
  { next = null, announced = null }: { next?: number | null; announced?: number | null } = {},
) => ({
  appliedCommissions,
  appliedCommission: appliedCommissions.at(-1) ?? null,
  nextAppliedCommission: next,
  commission: announced,
});

describe("what a delegator can avoid by leaving", () => {
  it.each([
    [
      "a rate announced now is charged two epochs later: the next epoch is soon enough",
      toRates([5, 5], { next: 5, announced: 95.5 }),
      { fromEpoch: EPOCH + 2, rate: 95.5, before: 5, isPaid: false, deadline: EPOCH + 1 },
    ],
    [
      "a rate of the next epoch is avoided in this one alone",
      toRates([5, 5], { next: 95.5, announced: 95.5 }),
      { fromEpoch: EPOCH + 1, rate: 95.5, before: 5, isPaid: false, deadline: EPOCH },
    ],
    [
      "a rate that is paid goes on, and who leaves still pays this epoch",
      toRates([5, 95.5, 95.5], { next: 95.5, announced: 95.5 }),
      { fromEpoch: EPOCH + 1, rate: 95.5, before: 5, isPaid: true, deadline: EPOCH },
    ],
    [
      "who always took nearly all has no rate before",
      toRates([100, 100], { next: 100, announced: 100 }),
      { fromEpoch: EPOCH + 1, rate: 100, before: null, isPaid: true, deadline: EPOCH },
    ],
    [
      "a rise upon a rise counts from before the first",
      toRates([5, 8], { next: 8, announced: 16 }),
      { fromEpoch: EPOCH + 2, rate: 16, before: 5, isPaid: false, deadline: EPOCH + 1 },
    ],
    ["what ends with this epoch is past", toRates([5, 100], { next: 5, announced: 5 }), null],
    ["a small rise is no reason", toRates([5, 5], { next: 5, announced: 14 }), null],
    ["a fall is none", toRates([10, 10], { next: 5, announced: 5 }), null],
    ["nothing follows from nothing", toRates([]), null],
  ])("%s", (_, rates, task) => expect(findTask(rates, EPOCH)).toEqual(task));

  it("has its deadline at the end of the epoch before, and never in the past", () => {
    expect(toDeadline(EPOCH + 2, EPOCH)).toBe(EPOCH + 1);
    expect(toDeadline(EPOCH + 1, EPOCH)).toBe(EPOCH);
    expect(toDeadline(EPOCH - 3, EPOCH)).toBe(EPOCH);
  });
});

it("counts what each epoch paid above the rate before the rise, until it came down", () => {
  expect(toExcess([5, 100, null, 100, 5, 7, 10, 4, 4])).toEqual([0, 95, 0, 95, 0, 2, 5, 0, 0]);
  expect(toExcess([null, 100, 100])).toEqual([0, 0, 0]);
});
