import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { minutes, slotAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { check, snapshot } from "../story/observations.ts";
import { eventsOf, validatorOf } from "../story/outcome.ts";
import { panelCheck } from "../story/panels.ts";
import { crowd, rest, withA } from "../story/validators.ts";

const first = snapshot(0, withA(500));
const seen = (minute: number, told: Parameters<typeof withA>[0]) => check(minute, withA(told));
const rise = seen(1, 10_000);
/** With the newest vote of another minute. */
const seenOf = (voted: number, minute: number, bps: number) =>
  check(minute, withA(bps), { slot: slotAt(voted) });
/** An account of an older layout stores a whole percent. */
const sevenPercent = (minute: number) =>
  panelCheck(minute, withA(), { of: 1, lists: [{ percent: 7 }], accounts: [{ percent: 7 }] });
/** The list shows nine percent, the accounts database has no such account. */
const noAccount = (minute: number) =>
  panelCheck(minute, withA(), { of: 1, lists: [{ percent: 9 }], accounts: [null] });
const RUG = "RUG 500→10000 in 0";

it.each<[string, Entry[], string[]]>([
  ["denied by the old value, as often as it is told", [rise, seen(1.02, 500), seen(2, 10_000)], []],
  ["denied by a third value", [rise, seen(1.02, 700), seen(2, 10_000), seen(2.02, 700)], []],
  [
    "not denied by an older slot than its own",
    [rise, seenOf(0.5, 1.02, 500), seen(2, 10_000)],
    [RUG],
  ],
  [
    "not confirmed by an older slot",
    [seen(10, 500), seen(11, 10_000), seenOf(9, 11.5, 10_000)],
    [],
  ],
  ["confirmed by the next observation 30 s later", [rise, seen(1.5, 10_000)], [RUG]],
  ["not by one 29 s later", [rise, seen(1.48, 10_000)], []],
  ["dropped when it is gone 30 s later", [rise, seen(2, 500)], []],
  ["said anew after the old value in between", [rise, seen(1.4, 500), seen(1.6, 10_000)], []],
  ["and then confirmed", [rise, seen(1.4, 500), seen(1.6, 10_000), seen(2.1, 10_000)], [RUG]],
  ["another value starts anew", [rise, seen(2, 600), seen(3, 600)], ["INFO 500→600 in 0"]],
  [
    "up and down",
    [rise, seen(1.5, 10_000), seen(2, 500), seen(2.5, 500)],
    [RUG, "INFO 10000→500 in 0"],
  ],
  ["a missing field", [seen(1, { bps: null }), seen(2, { bps: null })], []],
  ["a percent that stands for the value", [seen(1, { percent: 5 }), seen(2, { percent: 5 })], []],
  [
    "a percent beyond a point, however often",
    [seen(1, { percent: 7 }), seen(2, { percent: 7 })],
    [],
  ],
  [
    "but with its account, twice",
    [seen(1, { percent: 7 }), ...[1.1, 1.6].map(sevenPercent)],
    ["INFO 500→700 in 0"],
  ],
  [
    "a percent, then the precise value",
    [seen(1, { percent: 8 }), seen(2, 750), seen(2.5, 750)],
    ["INFO 500→750 in 0"],
  ],
  [
    "a percent of both values",
    [seen(1, 550), seen(2, { percent: 5 }), seen(3, 550)],
    ["INFO 500→550 in 0"],
  ],
  ["no such account decides nothing", [noAccount(1), noAccount(2)], []],
  ["more than all is all", [rise, seen(1.5, 10_000), seen(2, 15_000), seen(3, 15_000)], [RUG]],
])("given these observations after 5 %, then these events %s", (_, entries, events) => {
  expect(eventsOf(first, ...entries)).toEqual(events);
});

describe("while a change is pending", () => {
  it("the old value is shown and the change is listed", () => {
    const outcome = foldStory(first, rise);
    expect(validatorOf(outcome, "A").commissionBasisPoints).toBe(500);
    expect(outcome.pending).toMatchObject([
      { source: "COMMISSION", from: 500, to: 10_000, mass: false },
    ]);
  });

  it("it is dropped, and counted, when it is denied or the validator leaves the list", () => {
    const gone = [10, 20].map((minute) =>
      snapshot(minute, rest, { absent: [validatorOf(foldStory(first), "A").vote] }),
    );
    for (const end of [[seen(1.02, 500)], gone])
      expect(foldStory(first, rise, ...end)).toMatchObject({ pending: [], ledger: { dropped: 1 } });
  });
});

describe("a mass change", () => {
  const thirty = (bps: number) => crowd(30, { bps });
  const start = snapshot(0, thirty(500));
  const risen = (from: number, to: number) =>
    minutes(from, to).map((minute) => check(minute, thirty(10_000)));
  /** All but one go on showing it. */
  const denied = (minute: number) =>
    check(minute, [...thirty(10_000).slice(1), ...crowd(1, { bps: 500 })]);

  it.each<[string, Entry[], number]>([
    ["is not believed of a second observation", [...risen(1, 1), check(1.5, thirty(10_000))], 0],
    ["nor of one further observation", risen(1, 3), 0],
    ["is believed of two", risen(1, 4), 30],
    [
      "is denied by others between them",
      risen(1, 4).flatMap((entry, index) => [entry, denied(index + 1.02)]),
      29,
    ],
  ])("%s", (_, entries, events) => {
    expect(eventsOf(start, ...entries)).toHaveLength(events);
  });

  it.each([
    [20, 30, false],
    [21, 419, true],
    [21, 420, false],
  ])("of %i among %i is one: %s", (count, among, isMass) => {
    const facts = (bps: number) => [
      ...crowd(count, { bps }),
      ...minutes(1, among - count).map((index) => ({ name: `calm ${index}` })),
    ];
    const outcome = foldStory(
      snapshot(0, facts(500)),
      check(1, facts(9000)),
      check(2, facts(9000)),
    );
    expect(outcome.pending.filter(({ mass }) => mass)).toHaveLength(isMass ? count : 0);
    expect(outcome.ledger.events).toHaveLength(isMass ? 0 : count);
  });
});

it.each<[string, Entry[], number]>([
  [
    "a percent by the basis points it stood for",
    [snapshot(0, withA({ percent: 8 })), seen(1, 750)],
    750,
  ],
  [
    "no precise value",
    [snapshot(0, withA(750)), seen(1, { percent: 8 }), seen(2, { percent: 7 })],
    750,
  ],
  [
    "by an observation that denies a change",
    [snapshot(0, withA({ percent: 5 })), rise, seen(1.02, 520)],
    520,
  ],
])("knowing more precisely replaces %s, without an event", (_, entries, basisPoints) => {
  expect(validatorOf(foldStory(...entries), "A").inflation).toEqual({ basisPoints, exact: true });
  expect(eventsOf(...entries)).toEqual([]);
});
