import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { updateEvents } from "../../generator/service/projection/update-events.ts";
import { createTouched } from "../../generator/ledger/touched.ts";
import { FIRST_EPOCH, SLOTS_IN_EPOCH, slotAt, timeAt } from "../story/clock.ts";
import { ruling, foldStory, type Outcome, type StoryItem } from "../story/fold.ts";
import { history, mevs, percents } from "../story/history.ts";
import { check, snapshot } from "../story/observations.ts";
import { eventsOf, eventsIn, validatorOf } from "../story/outcome.ts";
import { tipSnapshot } from "../story/tips.ts";
import { withA } from "../story/validators.ts";
import { panelSnapshot, panelCheck, checkByLists } from "../story/panels.ts";

const first = snapshot(1, withA());
const seen = (minute: number, bps: number) =>
  [minute, minute + 0.5].map((at) => check(at, withA(bps)));
const rug = seen(2, 10_000);
const BACK = "INFO 10000→500 in 3";
const RUG = "RUG 500→10000 in 0";
const told = (...values: number[]) => history(5, { A: percents(...values) });
const toldMev = (...values: (number | null)[]) => history(5, { A: mevs(...values) });
const toldAt = (minute: number, from: number, ...values: number[]) =>
  history(minute, { A: values.map((percent, index) => ({ at: from + index, percent })) });
const inGap = (...values: number[]) => toldAt(605, 1, ...values);
const validatorIndexOf = (one: Outcome) => validatorOf(one, "A").validatorIndex;

const ignoring = (...entries: Entry[]): StoryItem =>
  ruling(entries[0]!, { event: foldStory(...entries).ledger.events[0]!.id });

const precise = snapshot(1, withA(550));
const gap = history(5, { A: [-4, -2].map((at) => ({ at, percent: at === -4 ? 100 : 5 })) });

/** Read in the first epoch, at its end with another rate, and again in the fourth. */
const pendingBeforeGap = [
  snapshot(0, withA(500)),
  ...[1, 100, 370, 371].map((minute) => check(minute, withA(minute < 100 ? 500 : 1000))),
];
const disputedEpoch = [
  panelSnapshot(0, withA(500), { of: 3 }),
  panelCheck(110, withA(500), { of: 3 }),
  ...[125, 180, 235].map((minute) => checkByLists(minute, [500, 1000, 9500], withA(500))),
  panelCheck(245, withA(500), { of: 3 }),
];

it.each<[string, StoryItem[], string[]]>([
  ["nothing changed", [first, told(5, 5, 5)], []],
  ["a change over the beginning of the tracking", [first, told(20, 20)], ["INFO 2000→500 in 0"]],
  ["an epoch between them is not known", [first, gap], []],
  ["one percent may be the other, rounded", [first, told(6, 5, 6, 5)], []],
  ["small steps add up", [first, told(2, 3, 4, 5)], ["INFO 200→400 in -2"]],
  ["more than all is all", [first, told(100, 254, 5)], ["INFO 10000→500 in -1"]],
  ["a percent that the precise value may be", [precise, told(5)], []],
  ["a percent that it may not be", [precise, told(7)], ["INFO 700→550 in 0"]],
  [
    "MEV, exactly",
    [first, toldMev(800, 801, 9500, 9500)],
    ["MEV INFO 800→801 in -3", "MEV RUG 801→9500 in -2"],
  ],
  ["more MEV than all is not known", [first, toldMev(800, 10_001, 65_534, 800)], []],
  ["MEV that is not set is not disabled", [first, toldMev(800, null, 800)], []],
  [
    "MEV over the beginning of the tracking",
    [tipSnapshot(1, [{ now: 1000, before: 1000 }]), toldMev(800)],
    ["MEV INFO 800→1000 in 0"],
  ],
  ["a validator that nobody knows", [first, history(5, { B: percents(0, 100) })], []],
  ["a change of the first epoch that was seen is told once", [first, ...rug, told(5, 5)], [RUG]],
  [
    "a change before it and one that was seen",
    [first, ...rug, told(20)],
    [RUG, "INFO 2000→500 in 0"],
  ],
  [
    "what was seen and ruled away still tells what stood",
    [ignoring(first, ...rug), first, ...rug, told(5, 5)],
    [],
  ],
  ["a change that is ruled away", [ignoring(first, told(100, 5)), first, told(100, 5)], []],
  ["another value, read later", [first, told(100, 5), { ...told(5, 5), time: timeAt(6) }], []],
  [
    "what came and went",
    [first, ...seen(601, 500), inGap(5, 100, 5, 5)],
    ["RUG 500→10000 in 2", BACK],
  ],
  [
    "nothing where an event covers it",
    [first, ...seen(601, 10_000), inGap(5, 100, 100, 100)],
    ["RUG 500→10000 in 5"],
  ],
  ["nothing beyond the newest epoch observed", [first, toldAt(10, 1, 100, 100)], []],
  [
    "what came and went in epochs that nobody read, after a change just before them",
    [...pendingBeforeGap, history(372, { A: [1, 2].map((at) => ({ at, percent: 95 })) })],
    ["INFO 500→1000 in 0", "RUG 1000→9500 in 1", "INFO 9500→1000 in 3"],
  ],
  [
    "nothing of an epoch that was read, though the witnesses never agreed in it",
    [...disputedEpoch, history(250, { A: [{ at: 1, percent: 95 }] })],
    [],
  ],
])("given this history and these observations, then these events %s", (_, entries, events) => {
  expect(eventsOf(...entries)).toEqual(events);
});

describe("an event of a history", () => {
  it("says that nobody saw it, and lies at the first slot of its epoch", () => {
    const epoch = FIRST_EPOCH - 5;
    const nobody = {
      createdAt: null,
      previousSlot: null,
      previousSeenAt: null,
      confirmedBy: null,
      confirmedAt: null,
    };
    const within = { earliest: epoch, latest: epoch };
    expect(foldStory(first, told(0, 100, 100, 100, 100, 5)).ledger.events[0]).toEqual({
      ...{
        id: expect.stringMatching(/^[0-9a-f]{24}$/) as unknown,
        validatorIndex: 9,
        source: "COMMISSION",
        severity: "RUG",
      },
      ...{ from: 0, to: 10_000, epoch, slot: epoch * SLOTS_IN_EPOCH, confirmed: false, ...nobody },
      ...{ seenEpoch: epoch, madeIn: within, seenIn: within },
      ...{ effectiveEpoch: epoch + 2, effectiveEpochLatest: epoch + 2, effectiveEpochFinal: false },
      ...{
        supersededBy: null,
        cost: null,
        mevCost: null,
        replacedBy: null,
        transaction: null,
        isSwept: false,
      },
    });
  });

  it("has another id than one that was seen in the same epoch with the same values, whose ids it leaves", () => {
    const story = [snapshot(1, withA(10_000)), ...seen(4, 500), ...seen(6, 10_000)];
    const { events } = foldStory(...story, history(2, { A: percents(5) })).ledger;
    const rises = events.filter(({ from, to }) => from === 500 && to === 10_000);
    expect(rises.map(({ confirmed }) => confirmed).sort()).toEqual([false, true]);
    expect(new Set(rises.map(({ id }) => id)).size).toBe(2);
    const idsSeen = events.filter(({ confirmed }) => confirmed).map(({ id }) => id);
    expect(idsSeen).toEqual(foldStory(...story).ledger.events.map(({ id }) => id));
  });

  it("never lies between two epochs that were observed", () => {
    const one = foldStory(first, check(121, withA()), told(5));
    const eventsWith = (...rates: number[]) => {
      one.ledger.validators[validatorIndexOf(one)]!.rates.runs = rates.map((basisPoints, at) => {
        const moment = { time: timeAt(at * 120), slot: slotAt(at * 120), epoch: FIRST_EPOCH + at };
        return {
          basisPoints,
          exact: true,
          from: moment,
          until: moment,
          lastEpoch: moment.epoch,
          believed: null,
        };
      });
      updateEvents(
        { ...one, touched: { ...createTouched(), events: new Set([validatorIndexOf(one)]) } },
        "",
      );
      return eventsIn(one);
    };
    expect(eventsWith(500, 9000)).toEqual([]);
    expect(eventsWith(9000, 9000)).toEqual(["RUG 500→9000 in 0"]);
  });

  it("is gone with the history that an operator rules away", () => {
    const { ledger, accepted: outcomes } = foldStory(first, ruling(told(100, 5)), told(100, 5));
    expect(outcomes.at(-1)).toEqual({ accepted: false, reason: "ignored by a ruling" });
    expect(ledger.events).toEqual([]);
    expect(ledger.history.firstSlots.size).toBe(0);
  });
});

const marks = mevs(800, 10_000, 800, 800, null, 500, 500);
const all = percents(0, 100, 5, 5, 30, 30, 5).map((point, index) => ({
  ...point,
  ...marks[index]!,
}));
const other = percents(50, 5);
const both = { A: all, "crowd 1": other };
const idsOf = (...entries: Entry[]) =>
  foldStory(first, ...entries)
    .ledger.events.map(({ id }) => id)
    .sort();
const whole = idsOf(history(5, both));

it.each<[string, Entry[]]>([
  ["twice", [history(5, both), history(6, both)]],
  [
    "validator by validator, the other way round",
    [history(5, { "crowd 1": other }), history(6, { A: all })],
  ],
  ["a short span first", [history(5, { A: all.slice(4) }), history(6, both)]],
  ["a long span first", [history(5, both), history(6, { A: all.slice(4) })]],
  [
    "piece by piece",
    [...all.map((point, at) => history(5 + at, { A: [point] })), history(20, { "crowd 1": other })],
  ],
])("the same history read %s makes the same events with the same ids", (_, entries) => {
  expect(whole).toHaveLength(7);
  expect(idsOf(...entries)).toEqual(whole);
});
