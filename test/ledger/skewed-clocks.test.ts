import { describe, expect, it } from "vitest";
import { createLedger, type Ledger } from "../../generator/ledger/ledger.ts";
import { epochAt, timeAt } from "../story/clock.ts";
import { foldInSteps } from "../story/fold.ts";
import { check, snapshot } from "../story/observations.ts";
import { crowd, keyOf, type Fact } from "../story/validators.ts";

/*
 * Two or three generators watch one cluster; the last joins late with a
 * wrong clock. Where endpoints give the time, observe lets two minutes pass
 * at most (observe/dating.ts); more comes from endpoints that do not. A
 * bucket rejects clocks more than 15 minutes ahead. Minutes are true ones.
 */

/**
 * The series is older than the wrong clock is behind; the last generator watches for three hours.
 */
const JOINS_AT = 70;
const ENDS_AT = JOINS_AT + 180;

/** True changes: minute, validator, basis points. Epochs end with minutes 120 and 240. */
const CHANGES: [minute: number, name: string, bps: number][] = [
  [82.5, "A", 10_000],
  [101.1, "B", 1_500],
  [115.7, "A", 500],
  [116.6, "C", 9_500],
  [121.2, "D", 700],
  [190.9, "C", 800],
];
const NAMES = ["A", "B", "C", "D"];

const bpsAt = (name: string, minute: number) =>
  CHANGES.findLast(([at, of]) => of === name && at <= minute)?.[2] ?? 600;

function factsAt(minute: number): Fact[] {
  const isOut = (name: string) => name === "D" && minute >= 130 && minute < 145;
  const told = NAMES.map((name): Fact => ({
    name,
    bps: bpsAt(name, minute),
    delinquent: isOut(name),
  }));
  return [...crowd(9, { bps: 500 }), ...told];
}

/**
 * A generator's journal: a snapshot each ten minutes, else a check, at this second of the minute.
 */
function journalOf({ second, skew, from }: { second: number; skew: number; from: number }) {
  return Array.from({ length: ENDS_AT - from }, (_, index) => {
    const minute = from + index + second / 60;
    const take = Math.floor(minute) % 10 === 0 ? snapshot : check;
    const entry = { ...take(minute, factsAt(minute)), time: timeAt(minute + skew) };
    return { entry, writtenAt: minute };
  });
}

/** What follows from all that was journaled, and each quarter of an hour the events until then. */
function watch(journals: ReturnType<typeof journalOf>[]) {
  const entries = journals.flat().sort((one, other) => one.writtenAt - other.writtenAt);
  let ledger = createLedger("mainnet");
  const slots: number[] = [];
  const looks: { minute: number; events: EventFacts[] }[] = [];
  let lookAt = JOINS_AT + 3;
  let index = 0;
  const steps = foldInSteps(
    ledger,
    entries.map(({ entry }) => entry),
  );
  for (const step of steps) {
    ledger = step.ledger;
    if (step.outcome.accepted) slots.push(entries[index]!.entry.slot);
    index += 1;
    if ((entries[index]?.writtenAt ?? Infinity) <= lookAt) continue;
    looks.push({ minute: lookAt, events: eventsOf(ledger) });
    lookAt += 15;
  }
  const checksOf = (name: string) => {
    const columns = [...ledger.uptime.checks.values(), ...ledger.uptime.hourChecks.values()];
    return columns.reduce(
      (sum, column) => sum + (column[ledger.validatorIndexes.get(keyOf(name))!] ?? 0),
      0,
    );
  };
  return { ledger, slots, looks, events: eventsOf(ledger), checks: NAMES.map(checksOf) };
}

type EventFacts = ReturnType<typeof eventsOf>[number];

function eventsOf({ events, validators }: Ledger) {
  return events.map(({ id, validatorIndex, severity, from, to, epoch, effectiveEpoch }) => ({
    vote: validators[validatorIndex]?.vote,
    ...{ id, severity, from, to, epoch, effectiveEpoch },
  }));
}

const happened = CHANGES.map(([minute, name, bps]) => ({
  ...{ vote: keyOf(name), from: bpsAt(name, minute - 0.1), to: bps, epoch: epochAt(minute) },
}));

const honest = [0, 37].map((second) => journalOf({ second, skew: 0, from: 0 }));
const watchedWithout = [1, 2].map((others) => watch(honest.slice(0, others)));
const cases = [1, 2].flatMap((others) =>
  [-60, -15, -2, -0.5, 0.5, 2, 10, 15].flatMap((skew) =>
    [5, 50].map((second) => ({ others, skew, second })),
  ),
);

describe.each(cases)(
  "beside $others with true clocks, one that is $skew min ahead, at second $second",
  (one) => {
    const without = watchedWithout[one.others - 1]!;
    const found = watch([...honest.slice(0, one.others), journalOf({ ...one, from: JOINS_AT })]);

    it("shows the events that happened, each once, of the right epoch, dated by a clock that saw it", () => {
      expect(without.events).toMatchObject(happened);
      expect(found.events).toEqual(without.events);
      const minutesOff = found.ledger.events.map(({ createdAt }, index) => {
        const seenAt = Date.parse(createdAt ?? "") - Date.parse(timeAt(CHANGES[index]?.[0] ?? NaN));
        return Math.abs(seenAt) / 60_000;
      });
      expect(Math.max(...minutesOff)).toBeLessThanOrEqual(Math.abs(one.skew) + 1);
    });

    it("never makes the cluster seem restarted, nor anything seem to have happened that did not", () => {
      expect(found.slots).toEqual([...new Set(found.slots)].sort((a, b) => a - b));
      expect(found.looks.length).toBeGreaterThan(10);
      for (const { minute, events } of found.looks) {
        expect(events).toEqual(without.events.slice(0, events.length));
        expect(events.length).toBeGreaterThanOrEqual(
          CHANGES.filter(([at]) => at < minute - 5).length,
        );
      }
    });

    it("costs two checks of uptime at most, where it joins or leaves", () => {
      const lost = without.checks.map((checks, index) => checks - found.checks[index]!);
      expect(lost).toEqual(NAMES.map(() => Math.min(lost[0]!, 2)));
      // Minutes that its clock alone had, and each of them once.
      expect(lost[0]).toBeGreaterThanOrEqual(-Math.abs(one.skew) - 1);
    });
  },
);
