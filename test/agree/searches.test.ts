import { expect, it } from "vitest";
import { findSearchedAt } from "../../generator/agree/searches.ts";
import type { SearchAnswer } from "../../generator/entries/entry.ts";

const PANEL_SIZE = 3;
const ok = (after: number, upTo: number): SearchAnswer => ({ state: "ok", after, upTo });
const busy: SearchAnswer = { state: "busy", rows: 5_000 };
const failed: SearchAnswer = { state: "failed", reason: "no answer in time", isRefused: false };

it.each<[string, SearchAnswer[][], number, number]>([
  ["the last accepted observation", [[ok(0, 900), ok(0, 900), ok(0, 900)]], 1_000, 1_000],
  ["what a majority lists", [[ok(0, 1_100), ok(0, 1_050), ok(0, 900)]], 1_000, 1_050],
  [
    "that of all searches together",
    [
      [ok(0, 40), ok(0, 1_050), failed],
      [ok(0, 1_100), failed, failed],
    ],
    1_000,
    1_050,
  ],
  ["no witness alone", [[ok(0, 9_000), ok(0, 1_010), failed]], 1_000, 1_010],
  [
    "no witness alone, whatever it lists",
    [
      [ok(0, 9_000), failed, failed],
      [ok(0, 9_001), busy, failed],
    ],
    1_000,
    1_000,
  ],
])("the cluster is known to be at the slot that %s shows", (_, searches, accepted, newest) => {
  const read = searches.map((answers) => ({ answers }));
  expect(findSearchedAt(read, PANEL_SIZE, accepted)).toBe(newest);
});
