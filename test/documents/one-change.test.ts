import { expect, test } from "vitest";
import { FIRST_EPOCH, slotAt } from "../story/clock.ts";
import { foldStory, type Outcome } from "../story/fold.ts";
import {
  changed,
  setsA,
  steady,
  transactions,
  unplaced,
  type Executed,
  type Found,
} from "../story/transactions.ts";
import { keyOf } from "../story/validators.ts";
import { read } from "./read.ts";

/* A change from 5 to 100 %, read at minutes 110 and 121; an epoch ends at minute 120. */

const searched = (after: number, ...found: Found[]) =>
  transactions(121.3, 3, { after, upTo: 121.2, found });

/**
 * By event: its rates, epoch and first paying epoch; the minute of its transaction, and its steps.
 */
const eventsOf = (told: Outcome) =>
  read(told.ledger, "validatorEvents", { votePubkey: keyOf("A") }).data.map((event) => {
    const { fromCommission, toCommission, epoch, effectiveEpoch, transaction, supersededBy } =
      event;
    const paid =
      supersededBy === null ? `paid from ${(effectiveEpoch ?? NaN) - FIRST_EPOCH}` : "never paid";
    const made = transaction === null ? "?" : (transaction.slot - slotAt(0)) / 300;
    const steps = transaction?.steps.map(({ commission }) => commission).join(" ") ?? "?";
    return `${fromCommission}→${toCommission} in ${epoch - FIRST_EPOCH}, ${paid}, by ${made}: ${steps}`;
  });

const tellAll = (after: number, ...found: Found[]) =>
  foldStory(
    ...steady(0, 110, 500),
    ...changed(121, 10_000),
    searched(after, ...found),
    ...steady(130, 480, 10_000),
  );

const rug = setsA(119, [10_000]);
const BEFORE = "5→100 in 0, paid from 2, by 119";
const AFTER = "5→100 in 1, paid from 3";

test.each<[string, Executed[], string]>([
  [
    "one that changes it and back, in the next epoch",
    [rug, setsA(120.5, [0, 10_000])],
    `${BEFORE}: 100 0 100`,
  ],
  ["the same rate again, in the next epoch", [rug, setsA(120.5, [10_000])], `${BEFORE}: 100 100`],
  ["the same rate again, in the same epoch", [rug, setsA(119.5, [10_000])], `${BEFORE}: 100 100`],
  [
    "the same rate thrice",
    [rug, setsA(119.5, [10_000]), setsA(120.5, [10_000])],
    `${BEFORE}: 100 100 100`,
  ],
  [
    "a way back and there again, in the next epoch",
    [rug, setsA(120.2, [500]), setsA(120.5, [10_000])],
    `${BEFORE}: 100 5 100`,
  ],
  [
    "another rate and back, in the next epoch",
    [rug, setsA(120.2, [700]), setsA(120.5, [10_000])],
    `${BEFORE}: 100 7 100`,
  ],
  [
    "several of that",
    [
      rug,
      setsA(120.2, [0]),
      setsA(120.3, [10_000, 0]),
      setsA(120.5, [10_000]),
      setsA(120.6, [0, 10_000]),
    ],
    `${BEFORE}: 100 0 100 0 100 0 100`,
  ],
  [
    "a way back and there again before its end",
    [setsA(118, [10_000]), setsA(118.5, [500]), rug, setsA(119.5, [10_000])],
    `${BEFORE}: 100 5 100 100`,
  ],
  [
    "before it one that ends nowhere",
    [setsA(118, [900]), setsA(118.5, [500]), rug, setsA(120.5, [10_000])],
    `${BEFORE}: 9 5 100 100`,
  ],
  [
    "a way back before the end of the epoch",
    [setsA(118, [10_000]), setsA(119, [500]), setsA(120.5, [10_000]), setsA(120.6, [10_000])],
    `${AFTER}, by 120.5: 100 5 100 100`,
  ],
  [
    "untold places in a slot between",
    [rug, ...[700, 10_000].map((to) => setsA(120.2, [to])), setsA(120.5, [10_000])],
    `${BEFORE}: 100 7 100 100`,
  ],
])(
  "one change is one event, paid from when its rate stays at the ends of epochs, with %s",
  (name, found, event) => {
    const isUnplaced = ({ slot }: Executed) => name.startsWith("untold") && slot === slotAt(120.2);
    const told = tellAll(0, ...found.map((one) => (isUnplaced(one) ? unplaced(one) : one)));
    const [only, ...others] = eventsOf(told);
    // Untold places have no order.
    expect([
      name.startsWith("untold") ? only?.replace("100 100 7", "100 7 100") : only,
      others,
    ]).toEqual([event, []]);
    expect(
      read(told.ledger, "rugsPerEpoch", {}).data.reduce(
        (sum, { totalEvents }) => sum + totalEvents,
        0,
      ),
    ).toBe(1);
  },
);

test("no earlier transaction made the change while more may have happened after it", () => {
  const later = setsA(120.5, [10_000]);
  // Its slot is searched, what comes after it is not.
  const early = transactions(119.1, 3, { after: 0, upTo: 119.05, found: [rug] });
  const told = (upTo: number) =>
    foldStory(
      ...steady(0, 110, 500),
      early,
      ...changed(121, 10_000),
      searched(upTo, later),
      ...steady(130, 480, 10_000),
    );
  expect(eventsOf(told(120.4))).toEqual([`5→100 in 1, paid from 2, by ?: ?`]);
  expect(eventsOf(told(119))).toEqual([`${BEFORE}: 100 100`]);
});
