import { expect, test } from "vitest";
import { check, confirmA, epochAt, FIRST_EPOCH, ruling, snapshot, tell, withA } from "../ledger/story.ts";
import { read } from "./fixtures.ts";
import { expectTouchedToSuffice } from "./rendered.ts";

const MINUTES_IN_EPOCH = 120;

const flips = Array.from({ length: 6 }, (_, at) => at * MINUTES_IN_EPOCH).flatMap((begin) => [
  snapshot(begin + 1, withA(begin === 0 ? 0 : 10_000)),
  ...(begin === 0 ? [] : [check(begin + 5, withA(0)), confirmA(begin + 6, 0)]),
  check(begin + 60, withA(10_000)),
  confirmA(begin + 61, 10_000),
]);

test("a pattern that goes on, and one that a ruling breaks, shows in what was touched alone", () => {
  const rugs = tell(...flips).ledger.events.filter(({ severity }) => severity === "RUG");
  expect(rugs.map(({ epoch }) => epoch - FIRST_EPOCH)).toEqual([0, 1, 2, 3, 4, 5]);
  const patterns = (ledger: Parameters<typeof read>[0]) =>
    read(ledger, "epochEvents", { epoch: epochAt(5 * MINUTES_IN_EPOCH) }).data.map(
      ({ pattern }) => pattern?.firstEpoch,
    );
  expect(patterns(expectTouchedToSuffice(flips))).toEqual([FIRST_EPOCH]);
  const broken = expectTouchedToSuffice([...flips, ruling(flips.at(2)!, { event: rugs[0]!.id })]);
  expect(patterns(broken)).toEqual([FIRST_EPOCH + 1]);
});
