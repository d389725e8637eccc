import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { minutes, timeAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { check, checkBy, snapshot, snapshotBy } from "../story/observations.ts";
import { validatorOf } from "../story/outcome.ts";
import { SILENT } from "../story/witnesses.ts";
import { crowd, keyOf, rest, withA, type Fact } from "../story/validators.ts";

const down = (delinquent: boolean) => withA({ delinquent });
const at = (minute: number, delinquent = false, options?: { slot: number }) =>
  check(minute, down(delinquent), options);
const begin = snapshot(0, down(false));
const end = at(60);

function dayOf(name: string, ...entries: Entry[]) {
  const outcome = foldStory(...entries);
  const { validatorIndex } = validatorOf(outcome, name);
  const { checks, delinquentChecks } = outcome.ledger.uptime;
  return [checks, delinquentChecks].map(
    (of) => of.get(timeAt(0).slice(0, 10))?.[validatorIndex] ?? 0,
  );
}

describe("checks", () => {
  const hour = minutes(1, 59).map((minute) => at(minute));
  const left = [10, 20].map((minute) => snapshot(minute, rest, { absent: [keyOf("A")] }));

  it.each<[string, Entry[], number[]]>([
    ["show in full hours only", hour, [0, 0]],
    ["are one a minute", [...hour, end], [60, 0]],
    [
      "are the earliest accepted observation of each minute",
      [at(0.5, true), at(1, true), at(1.9), end],
      [2, 1],
    ],
    [
      "of a refused observation give way to the next of the minute",
      [at(1, true, { slot: 1 }), at(1.5), end],
      [2, 0],
    ],
    ["are not made of a validator without a row", [check(1, rest), at(2), check(60, rest)], [2, 0]],
    [
      "nor of one that left, until it is listed again",
      [...left, at(30), snapshot(40, down(false)), end],
      [2, 0],
    ],
  ])("%s", (_, entries, counted) => {
    expect(dayOf("A", begin, ...entries)).toEqual(counted);
  });

  it("are one a minute however often the cluster is looked at: each 10 s, and each 2 s around a boundary", () => {
    const often = Array.from({ length: 6 * 59 + 5 }, (_, index) => at(1 + index / 6));
    const burst = Array.from({ length: 30 }, (_, index) => at(50 + index / 30, true));
    const both = [...often, ...burst].sort((one, other) => (one.time < other.time ? -1 : 1));
    const rising = both.filter(({ slot }, index) => slot > (both[index - 1]?.slot ?? 0));
    expect(rising.length).toBeGreaterThan(370);
    expect(dayOf("A", begin, ...rising, end)[0]).toBe(60);
  });
});

it("a delinquent run is not begun, not ended and not counted by an outage of the cluster, which is the check of its minute", () => {
  const outage = check(2, [...crowd(9, { delinquent: true }), { name: "A" }]);
  const story = [begin, at(1, true), outage, at(2.5, true), at(3, true), at(60, true)];
  const outcome = foldStory(...story);
  expect(validatorOf(outcome, "A")).toMatchObject({ delinquent: true, delinquentSince: timeAt(1) });
  expect(validatorOf(outcome, "crowd 0")).toMatchObject({
    delinquent: false,
    delinquentSince: null,
  });
  expect(dayOf("A", ...story)).toEqual([3, 2]);
  expect(dayOf("crowd 0", ...story)).toEqual([3, 0]);
});

it("a validator is delinquent when a majority of the panel says so; one of three that answers decides nothing", () => {
  const [up, isDown] = [down(false), down(true)].map((list) => ({ list }));
  const entries = [
    snapshotBy(0, [up!, up!, up!]),
    checkBy(1, [isDown!, SILENT, SILENT]),
    checkBy(2, [isDown!, isDown!, SILENT]),
    checkBy(3, [up!, SILENT, SILENT]),
  ];
  const runs = entries.map(
    (_, index) => validatorOf(foldStory(...entries.slice(0, index + 1)), "A").delinquentSince,
  );
  expect(runs).toEqual([null, null, timeAt(2), timeAt(2)]);
});

const facts = (stakes: number[]): Fact[] =>
  stakes.map((stake, at) => ({ name: `${at}`, stake: BigInt(stake) }));
const alike = (count: number) => Array<number>(count).fill(1);

it.each([
  ["3 of 10 alike are none", alike(10), 3, true],
  ["1 of 3 alike is none", alike(3), 1, true],
  ["4 of 10 are one", alike(10), 4, false],
  ["5 of 10 are one", alike(10), 5, false],
  ["9 of 10, without the large one, are none", [...alike(9), 90], 9, true],
  ["the large one alone is one", [8, ...alike(9)], 1, false],
])(
  "an outage of the cluster is over a third of the stake delinquent %s",
  (_, stakes, count, isShownDown) => {
    const then = facts(stakes).map((fact, index) => ({ ...fact, delinquent: index < count }));
    const outcome = foldStory(snapshot(0, facts(stakes)), check(1, then));
    expect(validatorOf(outcome, "0").delinquent).toBe(isShownDown);
  },
);
