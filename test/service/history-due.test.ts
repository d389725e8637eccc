import { expect, test } from "vitest";
import { closedSpan, dueVotes, findWitness } from "../../generator/service/backfill.ts";
import { FIRST_EPOCH } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { history } from "../story/history.ts";
import { check, snapshot } from "../story/observations.ts";
import { keyOf } from "../story/validators.ts";

const NAMES = ["one", "two", "three", "four", "five"];
const facts = NAMES.map((name) => ({ name }));
const first = snapshot(1, facts);
const spanOf = (from: number, to: number) => ({
  first: FIRST_EPOCH + from,
  last: FIRST_EPOCH + to,
});
const keysOf = (...names: string[]) => names.map(keyOf).sort();

test("the span ends with the last closed epoch and begins so many before the running one, or with the first epoch", () => {
  expect(closedSpan(1060, 512)).toEqual({ first: 548, last: 1059 });
  expect(closedSpan(1060, 1)).toEqual({ first: 1059, last: 1059 });
  expect(closedSpan(3, 512)).toEqual({ first: 0, last: 2 });
  expect(closedSpan(0, 512)).toBeNull();
});

test("before anything was read everybody is to be asked about, in the order of the keys", () => {
  const { ledger } = foldStory(first);
  expect(ledger.validators.map(({ vote }) => vote)).not.toEqual(keysOf(...NAMES));
  expect(dueVotes(ledger, spanOf(-3, -1))).toEqual(keysOf(...NAMES));
  expect(findWitness(ledger)).toBeNull();
});

test("who was read for the whole span is not asked about again, also if nothing was told", () => {
  const { ledger } = foldStory(first, history(5, { one: [], two: [] }, { from: -3, to: -1 }));
  expect(dueVotes(ledger, spanOf(-3, -1))).toEqual(keysOf("three", "four", "five"));
  expect(dueVotes(ledger, spanOf(-2, -1))).toEqual(keysOf("three", "four", "five"));
  expect(dueVotes(ledger, spanOf(-4, -1))).toEqual(keysOf(...NAMES));
  expect(findWitness(ledger)).toBe(keyOf("one"));
});

test("epochs that were observed need no history, those in between do", () => {
  const { ledger } = foldStory(
    first,
    check(121, facts),
    check(241, facts.slice(0, 4)),
    check(361, facts),
  );
  expect(dueVotes(ledger, spanOf(0, 2))).toEqual(keysOf("five"));
  expect(dueVotes(ledger, spanOf(0, 1))).toEqual([]);
  expect(dueVotes(ledger, spanOf(-1, 2))).toEqual(keysOf(...NAMES));
});
