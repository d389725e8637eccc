import { expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { foldStory } from "../story/fold.ts";
import { panelSnapshot } from "../story/panels.ts";
import { type Executed, search, steady, withdrawsA } from "../story/transactions.ts";
import { rest } from "../story/validators.ts";

const riseOf = (closing: Executed[]): Entry[] => [
  ...steady(0, 30, 500),
  panelSnapshot(35, rest, { of: 3 }),
  ...steady(40, 60, 10_000),
  search(61, ...closing),
];
const eventsAfter = (...entries: Entry[]) =>
  foldStory(...entries).ledger.events.map(({ from, to }) => [from, to]);

it("takes back a change that no transaction made", () => {
  expect(eventsAfter(...riseOf([]))).toEqual([]);
});

it("leaves a change of an account that was closed, however often it withdraws later", () => {
  const closing = withdrawsA(33);
  const later = Array.from({ length: 20 }, (_, index) => withdrawsA(62 + index));
  const rise = [[500, 10_000]];
  expect(eventsAfter(...riseOf([closing]))).toEqual(rise);
  expect(
    eventsAfter(...riseOf([closing]), ...steady(70, 120, 10_000), search(121, closing, ...later)),
  ).toEqual(rise);
});
