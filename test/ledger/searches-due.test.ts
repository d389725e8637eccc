import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import {
  authoritiesOf,
  searchesForEvents,
  searchesOfHistory,
  searchesOfSweep,
} from "../../generator/ledger/searches-due.ts";
import { summariseSweep } from "../../generator/ledger/sweep.ts";
import { panelCheck, panelConfirm, panelSnapshot } from "./panel-story.ts";
import { AUTHORITY, setsA, transactions } from "./proof-story.ts";
import { keyOf, slotAt, SLOTS_IN_EPOCH, tell, timeAt, withA } from "./story.ts";

const authority = AUTHORITY.address;
const rate = (bps: number) => withA({ bps });
const begin = [0, 10].map((minute) => panelSnapshot(minute, rate(500), { of: 3, authority }));
const changed = [
  panelCheck(11, rate(10_000), { of: 3, by: 1 }),
  panelConfirm(
    11.02,
    [1, 2, 3].map(() => ({ bps: 10_000 })),
    authority,
  ),
];
const ledgerOf = (...entries: Entry[]) => tell(...begin, ...entries).ledger;
const refused = { state: "failed" as const, reason: "no history", isRefused: true };
const busy = { state: "busy" as const, rows: 900 };

describe("for an event", () => {
  const due = (...entries: Entry[]) => searchesForEvents(ledgerOf(...changed, ...entries), timeAt(0));

  it("its authority is searched, from an epoch before its window", () => {
    expect(due()).toEqual([{ authority, after: slotAt(10) - SLOTS_IN_EPOCH, upTo: null, transactionsMax: 100 }]);
  });

  it("all of its window, where the slots after it are covered alone", () => {
    const beyond = transactions(11.2, 3, { after: 11.1, upTo: 11.15, found: [] });
    expect(due(beyond)).toEqual([{ authority, after: slotAt(10), upTo: null, transactionsMax: 100 }]);
  });

  it("from where the last search ended, or the window begins", () => {
    const before = transactions(11.1, 3, { after: -50, upTo: 10.5, found: [] });
    expect(due(before)).toEqual([{ authority, after: slotAt(10), upTo: null, transactionsMax: 100 }]);
  });

  it("from an epoch before its window where the last search is long ago", () => {
    const before = transactions(10.1, 3, { after: -500, upTo: 10 - 3.5 * 120, found: [] });
    expect(due(before)).toEqual([{ authority, after: slotAt(10) - SLOTS_IN_EPOCH, upTo: null, transactionsMax: 100 }]);
  });

  it("not again once it is proved, nor where there is nothing", () => {
    const found = transactions(11.2, 3, { after: -50, upTo: 11.1, found: [{ carried: setsA(10.8, [10_000]) }] });
    expect(due(found)).toEqual([]);
    expect(due(transactions(11.2, 3, { after: -50, upTo: 11.1, found: [] }))).toEqual([]);
  });

  it("of a busy authority the window alone", () => {
    const searched = transactions(11.2, 3, { after: -50, upTo: 11.1, answers: [busy, busy, busy], found: [] });
    expect(due(searched)).toEqual([{ authority, after: slotAt(10), upTo: slotAt(11.02) + 150, transactionsMax: 50 }]);
  });

  it("not for one that was confirmed before", () => {
    expect(searchesForEvents(ledgerOf(...changed), timeAt(12))).toEqual([]);
  });

  it("that still waits, too", () => {
    const disputed = [panelCheck(11, rate(10_000), { of: 3, by: 1 })];
    expect(searchesForEvents(ledgerOf(...disputed), timeAt(11)).map((one) => one.authority)).toEqual([authority]);
  });
});

describe("a sweep", () => {
  it("begins with a hundredth of the authorities, at least one", () => {
    expect(searchesOfSweep(ledgerOf())).toHaveLength(1);
  });

  it("comes to each once an epoch, whoever waits longest first", () => {
    const entries: Entry[] = [];
    const times = new Map<string, number>();
    for (let minute = 20; minute <= 20 + 4 * 120; minute += 10) {
      entries.push(panelSnapshot(minute, rate(500), { of: 3, by: (minute / 10) % 3, authority }));
      const due = searchesOfSweep(ledgerOf(...entries));
      expect(due.length).toBeLessThanOrEqual(2);
      for (const one of due) times.set(one.authority, (times.get(one.authority) ?? 0) + 1);
      if (due.length > 0)
        entries.push(
          transactions(
            minute + 0.1,
            3,
            ...due.map((one) => ({ authority: one.authority, after: minute - 120, upTo: minute, found: [] })),
          ),
        );
    }
    expect(times.size).toBe(10);
    expect(Math.min(...times.values())).toBeGreaterThanOrEqual(3);
    expect(Math.max(...times.values())).toBeLessThanOrEqual(5);
  });

  it("has nobody to search before an account was read", () => {
    expect(searchesOfSweep(tell(panelCheck(0, rate(500), { of: 3 })).ledger)).toEqual([]);
  });
});

describe("where no history of transactions is kept", () => {
  const nothing = { after: -50, upTo: 10, answers: [refused, refused, refused], found: [] };
  const asked = transactions(11.2, 3, nothing);

  it("nobody is searched for a day", () => {
    const ledger = ledgerOf(...changed, asked);
    expect([...searchesOfSweep(ledger), ...searchesForEvents(ledger, timeAt(0))]).toEqual([]);
    expect(summariseSweep(ledger).refused).toBe(10);
  });

  it("it is tried again after that", () => {
    const later = [1_440, 1_450].map((minute) => panelSnapshot(minute, rate(10_000), { of: 3, authority }));
    const ledger = ledgerOf(...changed, asked, ...later, panelSnapshot(1_460, rate(10_000), { of: 3, authority }));
    expect(searchesOfSweep(ledger).length).toBeGreaterThan(0);
  });

  it("nobody is spared who is asked by a majority that keeps one", () => {
    const once = transactions(11.2, 3, { ...nothing, answers: [refused, "true", "true"] });
    expect(searchesOfSweep(ledgerOf(once, panelSnapshot(20, rate(500), { of: 3, authority }))).length).toBeGreaterThan(
      0,
    );
  });
});

describe("the history", () => {
  it("is what is not covered yet, of each authority", () => {
    const searched = transactions(10.2, 3, { after: 2, upTo: 9, found: [] });
    const own = searchesOfHistory(ledgerOf(searched), slotAt(-100)).filter((one) => one.authority === authority);
    expect(own).toEqual([
      { authority, after: slotAt(-100), upTo: slotAt(2), transactionsMax: 1_000 },
      { authority, after: slotAt(9), upTo: null, transactionsMax: 1_000 },
    ]);
  });
});

describe("how far the sweep is", () => {
  it("counts who is covered, busy, refused", () => {
    const crowd = (index: number) => keyOf(`crowd ${index}`);
    const { ledger } = tell(
      ...begin,
      transactions(
        10.2,
        3,
        { after: -50, upTo: 9, found: [] },
        { authority: crowd(0), after: -50, upTo: 10, found: [] },
        { authority: crowd(1), after: -50, upTo: 10, answers: [busy, busy, busy], found: [] },
        { authority: crowd(2), after: -50, upTo: 10, answers: [refused, refused, refused], found: [] },
      ),
    );
    expect(summariseSweep(ledger)).toEqual({
      validators: 10,
      covered: 2,
      upToSlot: slotAt(9),
      busy: [{ authority: crowd(1), votes: [crowd(1)] }],
      refused: 1,
      contradictions: 0,
    });
  });
});

const EPOCH_MINUTES = 120;

/** Snapshots each hour, two an epoch, and what the sweep is to search with each; how often it came to each authority. */
function sweep(epochs: number, { before }: { before: (minute: number) => Entry[] }): Map<string, number> {
  const entries: Entry[] = [];
  const turns = new Map<string, number>();
  for (let minute = 0; minute < epochs * EPOCH_MINUTES; minute += 60) {
    const by = (minute / 60) % 3;
    entries.push(...before(minute), panelSnapshot(minute, withA({}), { of: 3, by, authority: AUTHORITY.address }));
    const { ledger } = tell(...entries);
    for (const key of authoritiesOf(ledger)) turns.set(key, turns.get(key) ?? 0);
    const due = searchesOfSweep(ledger);
    for (const { authority } of due) turns.set(authority, (turns.get(authority) ?? 0) + 1);
    const searches = due.map(({ authority }) => ({ authority, after: minute - 200, upTo: minute, found: [] }));
    if (due.length > 0) entries.push(transactions(minute + 0.1, 3, ...searches));
  }
  return turns;
}

/** What a check searches for one that changes its commission a minute before each snapshot. */
const searchedForAnEvent = (minute: number): Entry[] =>
  minute === 0
    ? []
    : [
        panelCheck(minute - 1, withA({}), { of: 3 }),
        transactions(minute - 0.9, 3, { after: minute - 200, upTo: minute - 1, found: [] }),
      ];

it("a sweep comes to everybody in time, though one of them is searched just before each of its parts", () => {
  const turns = [...sweep(3, { before: searchedForAnEvent })].filter(([authority]) => authority !== AUTHORITY.address);
  expect(turns.length).toBeGreaterThanOrEqual(9);
  for (const [, count] of turns) expect(count).toBeGreaterThanOrEqual(2);
});

it("a sweep of whom nobody disturbs comes to each once an epoch", () => {
  const turns = [...sweep(3, { before: () => [] }).values()];
  expect(Math.min(...turns)).toBeGreaterThanOrEqual(2);
  expect(Math.max(...turns)).toBeLessThanOrEqual(3);
});
