import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { FIRST_EPOCH, slotAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { listedAt, check, snapshot } from "../story/observations.ts";
import { validatorOf } from "../story/outcome.ts";
import { panelSnapshot } from "../story/panels.ts";
import { changed, steady } from "../story/transactions.ts";
import { keyOf, rest, withA } from "../story/validators.ts";

const at = (epoch: number, minute: number) => epoch * 120 + minute;

/** First epochs paying A's changes, relative to the story: `1`, or `1 or 2`; `?` is not final. */
function paidFrom(...entries: Entry[]): string[] {
  return foldStory(...entries).ledger.events.map(
    ({ effectiveEpoch, effectiveEpochLatest, effectiveEpochFinal }) => {
      const epochs = [...new Set([effectiveEpoch, effectiveEpochLatest])].map(
        (epoch) => epoch - FIRST_EPOCH,
      );
      return `${epochs.join(" or ")}${effectiveEpochFinal ? "" : "?"}`;
    },
  );
}

const seen = (minute: number, bps: number) => [
  check(minute, withA(bps)),
  check(minute + 1, withA(bps)),
];
const raise = (epoch: number, minute = 20) => seen(at(epoch, minute), 10_000);
const snapshots = (from: number, ...facts: Parameters<typeof withA>[0][]) =>
  facts.map((fact, index) => snapshot(at(from + index, 5), withA(fact)));
const none = snapshot(0, rest);

const ALL = 10_000;
/** Raises in the second epoch, of whose set no snapshot tells. */
const untold = [...seen(at(1, 5), 500), ...raise(1)];
const OUT = { bps: ALL, inSet: false };
const unstaked = { inSet: false, stake: 0n };
const gone = [5, 15].map((minute) => snapshot(at(1, minute), rest, { absent: [keyOf("A")] }));

it.each<[string, Entry[], string]>([
  ["two epochs later by who is in the set", [...snapshots(0, {}), ...raise(0)], "2?"],
  ["finally when the one after it is", [...snapshots(0, {}, ALL, ALL), ...raise(0)], "2"],
  [
    "never finally where nobody saw the sets",
    [...snapshots(0, {}), ...raise(0), ...raise(1), ...raise(2)],
    "2?",
  ],
  [
    "in the next epoch by who leaves the set with it",
    [...snapshots(0, {}, OUT), ...raise(0)],
    "1?",
  ],
  ["finally so when that is over", [...snapshots(0, {}, OUT, OUT), ...raise(0)], "1"],
  [
    "at once by who is in neither set, if it has stake",
    [...snapshots(0, { inSet: false }, OUT), ...raise(0)],
    "0?",
  ],
  [
    "two epochs later by who then joins it",
    [...snapshots(0, { inSet: false }, ALL), ...raise(0)],
    "2?",
  ],
  [
    "at once or in the next epoch by who was outside the set before and after, untold meanwhile",
    [...snapshots(0, { inSet: false }), ...untold, ...snapshots(2, OUT, ALL)],
    "1 or 2?",
  ],
  [
    "two epochs later by who was in it before and after",
    [...snapshots(0, {}), ...untold, ...snapshots(2, ALL, ALL)],
    "3",
  ],
  [
    "from the first epoch with stake",
    [...snapshots(0, unstaked, { ...OUT, stake: 1n }), ...raise(0)],
    "1?",
  ],
  [
    "after two at most",
    [...snapshots(0, unstaked, { ...OUT, stake: 0n }, { ...OUT, stake: 0n }), ...raise(0)],
    "2",
  ],
  [
    "two epochs later by who is first seen in the set",
    [none, ...snapshots(1, {}, ALL, ALL), ...raise(1)],
    "3",
  ],
  [
    "as a new one's by an account that is open again",
    [
      ...snapshots(0, {}),
      ...gone,
      ...snapshots(2, unstaked),
      ...raise(2),
      ...snapshots(3, OUT, ALL),
    ],
    "3",
  ],
])("a change within an epoch is paid %s", (_, entries, paid) => {
  expect(paidFrom(...entries)).toEqual([paid]);
});

const first = snapshot(0, withA());
const spanning = [first, check(at(0, 119), withA()), ...raise(1, 1)];
const boundary = (fact?: number) => check(120, withA(fact), { slot: slotAt(120) - 1 });

it.each<[string, Entry[], string]>([
  ["not finally", spanning, "2 or 3?"],
  ["finally when both are", [...spanning, ...snapshots(1, ALL, ALL, ALL)], "2 or 3"],
  [
    "also where a list of the epoch before last showed the old value",
    [first, boundary(), ...raise(1, 1)],
    "2 or 3?",
  ],
  ["or the new one with the newest vote of it", [first, boundary(ALL), ...raise(1, 1)], "2 or 3?"],
  [
    "or lists the new one six seconds before it",
    [...steady(0, 110, 500), ...changed(119.9, ALL)],
    "2 or 3?",
  ],
  ["but no list nine seconds before it", [...steady(0, 110, 500), ...changed(119.85, ALL)], "2?"],
])(
  "a change whose window spans the end of an epoch is paid from one epoch or from the next %s",
  (_, entries, paid) => {
    expect(paidFrom(...entries)).toEqual([paid]);
  },
);

describe("who is in the validator set", () => {
  /**
   * Each of three witnesses, an observation after the
   * other: A is in the set (+), is not (-), no answer (?).
   */
  it.each([
    ["is not told by one of three", "-++", "2?"],
    ["is told by two", "--+", "1?"],
    ["whoever they are", "+--", "1?"],
    ["also while the third does not answer", "?--", "1?"],
    ["is not known while as many say the one as the other", "+-?", "2?"],
    ["is not told by one of three twice", "-++ +-+", "2?"],
    ["is what was told last", "--+ +++", "2?"],
    ["stays while nobody agrees", "--+ +-?", "1?"],
  ])("%s", (_, observations, paid) => {
    const told = observations.split(" ").map((words, index) => {
      const signs = Array.from(words);
      const facts = signs.map((sign) => withA({ bps: ALL, inSet: sign === "+" }));
      const ahead = signs.map((sign) => (sign === "?" ? null : 0));
      return panelSnapshot(at(1, 5 + index), [], { of: 3, facts, ahead });
    });
    expect(paidFrom(snapshot(0, withA()), ...raise(0), ...told)).toEqual([paid]);
  });

  it("is not told by a list of the epoch before, nor is the stake", () => {
    const early = listedAt(snapshot(120, withA({ ...OUT, stake: 7n })), slotAt(120) - 1);
    const begin = [snapshot(0, withA()), ...raise(0), early];
    expect(paidFrom(...begin)).toEqual(["2?"]);
    expect(foldStory(...begin).ledger.stakes.has(FIRST_EPOCH + 1)).toBe(false);
    const own = [...begin, snapshot(130, withA({ ...OUT, stake: 8n }))];
    expect(paidFrom(...own)).toEqual(["1?"]);
    const outcome = foldStory(...own);
    expect(
      outcome.ledger.stakes.get(FIRST_EPOCH + 1)?.[validatorOf(outcome, "A").validatorIndex],
    ).toBe(8n);
  });
});

it("a change that one witness showed twice says that observations confirmed it", () => {
  const { events } = foldStory(
    snapshot(0, withA()),
    check(1, withA(ALL)),
    check(2, withA(ALL)),
  ).ledger;
  expect(events).toMatchObject([{ confirmedBy: "observations" }]);
});

it.each<[string, Entry[], (number | null)[]]>([
  [
    "is superseded by what took it away",
    [...seen(10, ALL), ...seen(20, 700), ...seen(30, 900)],
    [1, 2, null],
  ],
  [
    "is not, where it stood at the end of the epoch",
    [...seen(10, ALL), ...seen(130, 700)],
    [null, null],
  ],
  ["is not, where it may have", [...seen(121, ALL), ...seen(130, 700)], [null, null]],
])("a rate that was taken away %s", (_, entries, successors) => {
  const { events } = foldStory(snapshot(0, withA()), ...entries).ledger;
  const placeOf = (id: string | null) =>
    id === null ? null : events.findIndex((event) => event.id === id);
  expect(events.map(({ supersededBy }) => placeOf(supersededBy))).toEqual(successors);
});
