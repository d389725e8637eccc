import { describe, expect, it } from "vitest";
import { NEVER_READ, takeReading } from "../../generator/ledger/rates/block-revenue.ts";
import { getU16 } from "../../generator/ledger/columns.ts";
import { newestRevenueOf, revenueSnapshots, revenueStepsOf } from "../story/block-revenue.ts";
import { epochAt, FIRST_EPOCH, slotAt, timeAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { snapshot } from "../story/observations.ts";
import { validatorOf } from "../story/outcome.ts";
import { panelSnapshot, type AccountRate } from "../story/panels.ts";
import { AUTHORITY } from "../story/transactions.ts";
import { withA } from "../story/validators.ts";
import { all } from "../story/witnesses.ts";

type Said = number | "disputed" | null;

const momentAt = (minute: number) => ({
  time: timeAt(minute),
  slot: slotAt(minute),
  epoch: epochAt(minute),
});

/** What the snapshots at each minute agree on; the values that count after each of them. */
function taken(said: [minute: number, Said][]) {
  const held = { ...NEVER_READ };
  return said.map(([minute, value]) => {
    const at = momentAt(minute);
    takeReading(held, typeof value === "number" ? { basisPoints: value, at } : value);
    return held.agreed?.basisPoints ?? null;
  });
}

it.each<[string, [number, Said][], (number | null)[]]>([
  [
    "nothing where nobody reads it",
    [
      [0, null],
      [10, "disputed"],
    ],
    [null, null],
  ],
  ["the first value at once", [[0, 5_000]], [5_000]],
  [
    "another value when a second snapshot shows it",
    [
      [0, 5_000],
      [10, 9_000],
      [20, 9_000],
    ],
    [5_000, 5_000, 9_000],
  ],
  [
    "not before two minutes",
    [
      [0, 5_000],
      [10, 9_000],
      [11.9, 9_000],
      [12, 9_000],
    ],
    [5_000, 5_000, 5_000, 9_000],
  ],
  [
    "not one that is gone again",
    [
      [0, 5_000],
      [10, 9_000],
      [20, 5_000],
      [30, 9_000],
    ],
    [5_000, 5_000, 5_000, 5_000],
  ],
  [
    "not two that differ",
    [
      [0, 5_000],
      [10, 9_000],
      [20, 8_000],
      [30, 8_000],
    ],
    [5_000, 5_000, 5_000, 8_000],
  ],
  [
    "a value that silence does not deny",
    [
      [0, 5_000],
      [10, 9_000],
      [20, null],
      [30, 9_000],
    ],
    [5_000, 5_000, 5_000, 9_000],
  ],
  [
    "not one that was disputed since",
    [
      [0, 5_000],
      [10, 9_000],
      [20, "disputed"],
      [30, 9_000],
    ],
    all(4, 5_000),
  ],
])("takes %s", (_, said, values) => {
  expect(taken(said)).toEqual(values);
});

describe.each([1, 2, 3])("a panel of %i", (of) => {
  it("shows the rate of layout v4, and each change that two snapshots show", () => {
    expect(newestRevenueOf(...revenueSnapshots(of, null, null))).toBeNull();
    expect(newestRevenueOf(...revenueSnapshots(of, 5_000))).toBe(5_000);
    expect(newestRevenueOf(...revenueSnapshots(of, 5_000, 10_000))).toBe(5_000);
    expect(newestRevenueOf(...revenueSnapshots(of, 5_000, 10_000, 10_000))).toBe(10_000);
    expect(revenueStepsOf(...revenueSnapshots(of, 5_000, 10_000, 10_000, 0, 0))).toEqual([
      "5000 → 10000 at 10, observed",
      "10000 → 0 at 30, observed",
    ]);
  });

  it("changes nothing for accounts that all witnesses read as of a flush ago, or not at all", () => {
    expect(
      revenueStepsOf(...revenueSnapshots(of, 5_000, 5_000, 10_000, 5_000, null, 5_000)),
    ).toEqual([]);
    const stale = revenueSnapshots(of, 5_000, 10_000, 10_000, 5_000, null, 10_000, 5_000, 10_000);
    expect(revenueStepsOf(...stale)).toEqual(["5000 → 10000 at 10, observed"]);
    expect(newestRevenueOf(...stale)).toBe(10_000);
  });

  it("counts a stored value above 10,000 as all", () => {
    expect(newestRevenueOf(...revenueSnapshots(of, 65_535))).toBe(10_000);
    expect(revenueStepsOf(...revenueSnapshots(of, 10_000, 65_535, 65_535))).toEqual([]);
  });
});

it("one liar of three changes nothing, and hides nothing", () => {
  const lies = revenueSnapshots(
    3,
    5_000,
    [5_000, 5_000, 10_000],
    [5_000, 10_000, 5_000],
    [null, 5_000, 10_000],
  );
  expect(revenueStepsOf(...lies)).toEqual([]);
  expect(newestRevenueOf(...lies)).toBe(5_000);
  expect(
    revenueStepsOf(
      ...revenueSnapshots(3, [5_000, 0, 5_000], [0, 9_000, 9_000], [9_000, null, 9_000]),
    ),
  ).toEqual(["5000 → 9000 at 10, observed"]);
});

it("neither of two that contradict each other is believed", () => {
  expect(newestRevenueOf(...revenueSnapshots(2, [5_000, 10_000], [5_000, 10_000]))).toBeNull();
  expect(
    revenueStepsOf(
      ...revenueSnapshots(2, 5_000, [5_000, 10_000], [5_000, 10_000], [5_000, 10_000]),
    ),
  ).toEqual([]);
});

it("one of two is believed after three minutes without the other's list, not while it gives one", () => {
  const half = (other: AccountRate, list?: "silent") =>
    [0, 10].map((minute) =>
      panelSnapshot(minute, withA(500), {
        of: 2,
        lists: [undefined, list],
        accounts: [500, other],
        authority: AUTHORITY.address,
        revenue: [0, 0],
      }),
    );
  expect(newestRevenueOf(...half("silent", "silent"))).toBe(0);
  expect(newestRevenueOf(...half("silent", "silent").slice(0, 1))).toBeNull();
  for (const other of ["silent", null] as const) expect(newestRevenueOf(...half(other))).toBeNull();
});

it("an answer from over 150 slots before the observation, or from the others, does not count", () => {
  const shows = (...held: AccountRate[]) =>
    [0, 10].map((minute) =>
      panelSnapshot(minute, withA(500), {
        of: held.length,
        accounts: held,
        revenue: held.map(() => 5_000),
      }),
    );
  const at = (ahead: number): AccountRate => ({ bps: 500, ahead });
  expect(newestRevenueOf(...shows(at(-151)))).toBeNull();
  expect(newestRevenueOf(...shows(at(-150)))).toBe(5_000);
  expect(newestRevenueOf(...shows(at(151), "silent", at(0)))).toBe(5_000);
  expect(newestRevenueOf(...shows(at(151), at(0), at(-1)))).toBe(5_000);
  expect(newestRevenueOf(...shows(at(200), at(0), at(-140), "silent"))).toBeNull();
});

it.each<[string, [minute: number, revenue: number | null][], (number | null)[]]>([
  // The second reading of the new rate is in the epoch after that of the first.
  [
    "from its first reading on",
    [
      [0, 5_000],
      [115, 9_000],
      [125, 9_000],
    ],
    [9_000, 9_000],
  ],
  [
    "carried through epochs without a reading",
    [
      [0, 5_000],
      [130, null],
      [250, null],
    ],
    [5_000, 5_000, 5_000],
  ],
  [
    "as unknown where either may have been in force",
    [
      [0, 5_000],
      [130, null],
      [250, null],
      [370, 9_000],
      [380, 9_000],
    ],
    [5_000, null, null, 9_000],
  ],
])("the rate of each epoch is kept %s", (_, readings, rates) => {
  const at = (minute: number, revenue: number | null) =>
    panelSnapshot(minute, withA(500), {
      of: 3,
      authority: AUTHORITY.address,
      revenue: all(3, revenue),
    });
  const { ledger } = foldStory(...readings.map(([minute, revenue]) => at(minute, revenue)));
  const { validatorIndex } = validatorOf({ ledger }, "A");
  const kept = rates.map((_rate, after) =>
    getU16(ledger.blockRevenue, FIRST_EPOCH + after, validatorIndex),
  );
  expect(kept).toEqual(rates);
});

it("needs no accounts", () => {
  expect(newestRevenueOf(snapshot(0, withA(500)))).toBeNull();
});
