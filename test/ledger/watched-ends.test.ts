import { expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { isBoundaryKnown } from "../../generator/ledger/rates/boundaries.ts";
import { commissionPoint } from "../../generator/ledger/stake/points.ts";
import { FIRST_EPOCH } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { check } from "../story/observations.ts";
import { validatorOf } from "../story/outcome.ts";
import { checkByLists, panelSnapshot } from "../story/panels.ts";
import { AUTHORITY, setsA, transactions, type Executed } from "../story/transactions.ts";
import { withA } from "../story/validators.ts";

/* The first epoch ends at minute 120. Its end is watched where readings around it agree. */

const authority = AUTHORITY.address;
const byOne = (...readings: [minute: number, bps: number][]) => [
  panelSnapshot(110, withA(500), { of: 1, authority }),
  ...readings.map(([minute, bps]) => check(minute, withA(bps))),
];
const byAll = (...readings: [minute: number, ...rates: (number | "silent")[]][]) => [
  panelSnapshot(110, withA(500), { of: readings[0]!.length - 1, authority }),
  ...readings.map(([minute, ...rates]) => checkByLists(minute, rates, withA(500))),
];
const GIVEN_UP = byOne([119.8, 500], [119.9, 900], [120.2, 900], [120.3, 500]);

it.each<[string, Entry[], boolean]>([
  ["on both sides", byOne([119.8, 500], [120.2, 500]), true],
  ["but another before, which stands", byOne([119, 500], [119.9, 900], [121, 900]), true],
  ["but another over the end, given up", GIVEN_UP, false],
  ["but another over the end, given up long ago", [...GIVEN_UP, check(125, withA(500))], false],
  ["but another just before the end", byOne([119.8, 500], [119.9, 900], [120.2, 500]), false],
  ["but another just after it", byOne([119.9, 500], [120.1, 900], [120.3, 500]), false],
  [
    "but another, given up before the end",
    byOne([119, 500], [119.2, 900], [119.4, 500], [119.8, 500], [120.2, 500]),
    true,
  ],
  [
    "but another by one of two",
    byAll([119.8, 500, 500], [119.9, 500, 900], [120.1, 500, 900], [120.3, 500, 500]),
    false,
  ],
  [
    "but another by one of three, of which then only one answers",
    byAll(
      [119.8, 500, 500, 500],
      [119.9, 500, 900, "silent"],
      [120.1, 500, "silent", "silent"],
      [120.3, 500, 500, 500],
    ),
    false,
  ],
  [
    "though one of two was silent",
    byAll([119.8, 500, 500], [120.1, 500, "silent"], [120.3, 500, 500]),
    true,
  ],
])("given the current rate %s, whether the rate at the end is known", (_, entries, isKnown) => {
  expect(endOf(entries).isKnown).toBe(isKnown);
});

it.each<[string, Executed[], { isKnown: boolean; basisPoints: number }]>([
  ["no change", [], { isKnown: true, basisPoints: 500 }],
  [
    "the changes",
    [setsA(119.85, [900]), setsA(120.25, [500])],
    { isKnown: true, basisPoints: 900 },
  ],
])("given a rate that was given up over the end, searches find %s", (_, found, end) => {
  const search = transactions(125, 1, { after: 100, upTo: 124, found });
  expect(endOf([...GIVEN_UP, search])).toEqual(end);
});

function endOf(entries: readonly Entry[]) {
  const outcome = foldStory(...entries);
  const { validatorIndex } = validatorOf(outcome, "A");
  const at = { epoch: FIRST_EPOCH, validatorIndex };
  return {
    isKnown: isBoundaryKnown(outcome.ledger, at),
    basisPoints: commissionPoint(outcome.ledger, "inflation", at),
  };
}
