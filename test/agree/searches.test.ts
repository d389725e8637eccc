import { expect, it } from "vitest";
import { findSearchedAt, outcomeOf } from "../../generator/agree/searches.ts";
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

const refused: SearchAnswer = { state: "failed", reason: "no history", isRefused: true };

it.each<[string, SearchAnswer[], ReturnType<typeof outcomeOf>]>([
  ["one of three keeps no history", [refused, failed, ok(0, 900)], "failed"],
  ["one of three keeps none, the others fail", [refused, failed, failed], "failed"],
  ["two of three keep none", [refused, refused, ok(0, 900)], "refused"],
  ["one of two keeps none", [refused, ok(0, 900)], "refused"],
  ["two of four keep none", [refused, refused, failed, failed], "refused"],
  ["one lists too many", [refused, refused, busy], "busy"],
])("a search without a majority, of which %s", (_, answers, outcome) => {
  expect(outcomeOf(answers)).toBe(outcome);
});
