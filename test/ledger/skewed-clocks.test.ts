import { describe, expect, it } from "vitest";
import type { NamedEntry } from "../../generator/entries/entry.ts";
import { fold } from "../../generator/ledger/fold.ts";
import { createLedger, type Ledger } from "../../generator/ledger/ledger.ts";
import { check, crowd, epochAt, keyOf, named, snapshot, timeAt, type Fact } from "./story.ts";

/*
 * Two and three generators watch one cluster, and the clock of the last one, which joins late, is wrong. The door lets no
 * more than two minutes through where endpoints tell the time (observe/dating.ts): what is wronger came in by one that does
 * not. A bucket takes nothing from a clock that is more than 15 minutes ahead. Minutes are those of the world.
 */

/** The one with the wrong clock joins in a series that is older than it is behind, and watches for three hours. */
const JOINS_AT = 70;
const ENDS_AT = JOINS_AT + 180;

/** What happens on the chain: minute, validator, new commission in basis points. Epochs end with minutes 120 and 240. */
const CHANGES: [minute: number, name: string, bps: number][] = [
  [82.5, "A", 10_000],
  [101.1, "B", 1_500],
  [115.7, "A", 500],
  [116.6, "C", 9_500],
  [121.2, "D", 700],
  [190.9, "C", 800],
];
const NAMES = ["A", "B", "C", "D"];

const bpsAt = (name: string, minute: number) => CHANGES.findLast(([at, of]) => of === name && at <= minute)?.[2] ?? 600;

function factsAt(minute: number): Fact[] {
  const isOut = (name: string) => name === "D" && minute >= 130 && minute < 145;
  const told = NAMES.map((name): Fact => ({ name, bps: bpsAt(name, minute), delinquent: isOut(name) }));
  return [...crowd(9, { bps: 500 }), ...told];
}

type Written = NamedEntry & { writtenAt: number };

/** All that a generator journals, so many seconds after each full minute: a snapshot every tenth minute, else a check. */
function journalOf(name: string, { second, skew, from }: { second: number; skew: number; from: number }): Written[] {
  return Array.from({ length: ENDS_AT - from }, (_, index) => {
    const minute = from + index + second / 60;
    const take = Math.floor(minute) % 10 === 0 ? snapshot : check;
    const entry = { ...take(minute, factsAt(minute)), time: timeAt(minute + skew), endpoint: name };
    return { ...named(entry), writtenAt: minute };
  });
}

/** Folds what several generators have journaled until a minute; and the slots of what was accepted. */
function watch(journals: Written[][], until = Infinity): { ledger: Ledger; slots: number[] } {
  const entries = journals.flat().filter(({ writtenAt }) => writtenAt <= until);
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const slots: number[] = [];
  const ledger = entries.reduce((held, { name, entry }) => {
    const folded = fold(held, { name, entry });
    if (folded.outcome.accepted && "slot" in entry) slots.push(entry.slot);
    return folded.ledger;
  }, createLedger("mainnet"));
  return { ledger, slots };
}

const eventsOf = ({ ledger }: { ledger: Ledger }) =>
  ledger.events.map(({ id, ordinal, severity, from, to, epoch, effectiveEpoch }) => ({
    vote: ledger.validators[ordinal]?.vote,
    ...{ id, severity, from, to, epoch, effectiveEpoch },
  }));

const happened = CHANGES.map(([minute, name, bps]) => ({
  ...{ vote: keyOf(name), from: bpsAt(name, minute - 0.1), to: bps, epoch: epochAt(minute) },
}));

/** Checks of a validator that were counted, of all hours. */
function checksOf({ ledger: { uptime, ordinals } }: { ledger: Ledger }, name: string): number {
  const ordinal = ordinals.get(keyOf(name)) ?? NaN;
  const columns = [...uptime.checks.values(), ...uptime.hourChecks.values()];
  return columns.reduce((sum, column) => sum + (column[ordinal] ?? 0), 0);
}

const honest = [0, 37].map((second) => journalOf(`at ${second}`, { second, skew: 0, from: 0 }));
const cases = [1, 2].flatMap((others) =>
  [-60, -15, -2, -0.5, 0.5, 2, 10, 15].flatMap((skew) => [5, 50].map((second) => ({ others, skew, second }))),
);

describe.each(cases)("beside $others with true clocks, one that is $skew min ahead, at second $second", (one) => {
  const others = honest.slice(0, one.others);
  const journals = [...others, journalOf("wrong", { ...one, from: JOINS_AT })];
  const found = watch(journals);
  const without = watch(others);

  it("shows the events that happened, each once, of the right epoch", () => {
    expect(eventsOf(without)).toMatchObject(happened);
    expect(eventsOf(found)).toEqual(eventsOf(without));
  });

  it("dates each of them by no more off than the clock, and by at most two minutes", () => {
    const minutesOff = found.ledger.events.map(({ createdAt }, index) => {
      const seenAt = Date.parse(createdAt ?? "") - Date.parse(timeAt(CHANGES[index]?.[0] ?? NaN));
      return Math.abs(seenAt) / 60_000;
    });
    // A change is seen within a minute.
    expect(Math.max(...minutesOff)).toBeLessThanOrEqual(Math.min(Math.abs(one.skew), 2) + 1);
  });

  it("never makes the cluster seem restarted, nor anything seem to have happened that did not", () => {
    for (let minute = JOINS_AT + 3; minute < ENDS_AT; minute += 16) {
      const soFar = watch(journals, minute);
      expect(soFar.slots).toEqual([...new Set(soFar.slots)].sort((a, b) => a - b));
      const events = eventsOf(soFar);
      expect(events).toEqual(eventsOf(without).slice(0, events.length));
      expect(events.length).toBeGreaterThanOrEqual(CHANGES.filter(([at]) => at < minute - 5).length);
    }
  });

  it("costs two checks of uptime at most, where it joins or leaves", () => {
    const lost = NAMES.map((name) => checksOf(without, name) - checksOf(found, name));
    expect(lost).toEqual(NAMES.map(() => Math.min(lost[0]!, 2)));
  });
});
