import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { createLedger } from "../../generator/ledger/ledger.ts";
import { observedRate } from "../../generator/ledger/rates/timeline.ts";
import { FIRST_EPOCH, minutes, slotAt, timeAt } from "../story/clock.ts";
import { foldStory, foldOnto } from "../story/fold.ts";
import { check, snapshot } from "../story/observations.ts";
import { eventsIn, validatorOf } from "../story/outcome.ts";
import { checkByLists, panelCheck, panelSnapshot, type ListedRate } from "../story/panels.ts";
import { withA } from "../story/validators.ts";

const old = withA(500);
const risen = withA(10_000);
const at = (moments: number[], lists: ListedRate[]) =>
  moments.map((minute) => checkByLists(minute, lists, old));

const first = snapshot(0, withA(500));
const seen = (minute: number, told: Parameters<typeof withA>[0]) => check(minute, withA(told));
const rise = seen(1, 10_000);

describe("what an event says", () => {
  const eventOf = (...entries: Entry[]) => foldStory(...entries).ledger.events;

  it("lies between the last observation of the old value and the first of the new", () => {
    expect(eventOf(first, seen(1, 500), seen(2, 10_000), seen(2.5, 10_000))).toMatchObject([
      {
        previousSlot: slotAt(1),
        previousSeenAt: timeAt(1),
        slot: slotAt(2),
        createdAt: timeAt(2),
        confirmed: true,
      },
    ]);
    // An ambiguous percent decides nothing.
    expect(eventOf(first, seen(1, 550), seen(2, { percent: 5 }), seen(3, 550))).toMatchObject([
      { slot: slotAt(1), previousSlot: slotAt(0) },
    ]);
  });

  it("is of the epoch that showed it, though another confirms it", () => {
    const outcome = foldStory(first, seen(119.9, 10_000), seen(121, 10_000));
    expect(observedRate(validatorOf(outcome, "A"), FIRST_EPOCH)).toBe(10_000);
    expect(outcome.ledger.events).toMatchObject([{ epoch: FIRST_EPOCH }]);
    const twice = foldStory(first, rise, seen(1.5, 10_000), seen(2, 0), seen(3, 0));
    expect(twice.ledger.events).toMatchObject([
      { epoch: FIRST_EPOCH, effectiveEpoch: FIRST_EPOCH + 2 },
      { epoch: FIRST_EPOCH, effectiveEpoch: FIRST_EPOCH + 2, previousSlot: slotAt(1.5) },
    ]);
    const epochs = validatorOf(twice, "A").rates.runs.map(({ from, until }) => [
      from.epoch,
      until.epoch,
    ]);
    expect(new Set(epochs.flat())).toEqual(new Set([FIRST_EPOCH]));
  });

  it("has an id that names it for good, and holds the series from the second on", () => {
    const entries = [first, rise, seen(1.5, 10_000)];
    const idsIn = (series: number) =>
      foldOnto(createLedger("mainnet", series), ...entries).ledger.events;
    expect([1, 2, 3].flatMap(idsIn).map(({ id }) => id)).toEqual([
      "838d5386dd81d5359223a1cd",
      "f9e8efeb84c3b1d56cd24ed5",
      "acdc00c56d41827f9239f416",
    ]);
  });

  it("has an id of its own for each equal change of an epoch", () => {
    const events = eventOf(
      snapshot(0, withA(0)),
      ...minutes(1, 8).map((at) => seen(at, at % 4 < 2 ? 0 : 10_000)),
    );
    expect(events.length).toBeGreaterThan(2);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  });
});

describe("the slot of a change", () => {
  it("is, of one witness, that of the first list that showed it", () => {
    const outcome = foldStory(panelSnapshot(0, old, { of: 1 }), ...at([1, 1.5], [10_000]));
    expect(outcome.ledger.events).toMatchObject([
      { slot: slotAt(1), previousSlot: slotAt(0), createdAt: timeAt(1) },
    ]);
  });

  it("is, of two witnesses, one by which both showed it: one of them may know of it early", () => {
    const outcome = foldStory(
      panelSnapshot(0, old, { of: 2 }),
      ...at([1], [500, 10_000]),
      ...at([2], [10_000, 10_000]),
    );
    expect(outcome.ledger.events).toMatchObject([{ slot: slotAt(2), createdAt: timeAt(1) }]);
  });
});

describe("one witness whose accounts cannot be read", () => {
  const shows = (told: Parameters<typeof withA>[0], ...moments: number[]) =>
    moments.map((minute) => panelCheck(minute, withA(told), { of: 1 }));

  it("tells each step in basis points that its list shows after a percent", () => {
    const steps = [475, 425, 405, 399].flatMap((bps, index) =>
      shows(bps, 2 * index + 3, 2 * index + 4),
    );
    const percent = { bps: null, percent: 5 };
    const outcome = foldStory(
      panelSnapshot(0, withA(percent), { of: 1, accounts: ["silent"] }),
      ...shows(percent, 1, 2),
      ...steps,
    );
    expect(eventsIn(outcome)).toEqual([
      "INFO 475→425 in 0",
      "INFO 425→405 in 0",
      "INFO 405→399 in 0",
    ]);
  });

  it("is believed at the second observation, and dates the change by the first", () => {
    const before = [
      panelSnapshot(110, risen, { of: 1, accounts: ["silent"] }),
      ...shows(10_000, 118, 119),
    ];
    const outcome = foldStory(...before, ...shows(0, 119.9, 120.5));
    const [event] = outcome.ledger.events;
    expect(event).toMatchObject({ from: 10_000, to: 0, epoch: FIRST_EPOCH, slot: slotAt(119.9) });
    expect(event?.createdAt).toBe(timeAt(119.9));
  });
});
