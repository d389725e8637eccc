import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import {
  authoritiesOf,
  searchesForEvents,
  searchesOfHistory,
  searchesOfRipe,
  searchesOfSweep,
} from "../../generator/views/searches-due.ts";
import { summariseSweep } from "../../generator/views/sweep.ts";
import { slotAt, SLOTS_IN_EPOCH, timeAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { panelCheck, panelSnapshot } from "../story/panels.ts";
import { AUTHORITY, changed, setsA, steady, transactions } from "../story/transactions.ts";
import { keyOf, withA } from "../story/validators.ts";
import { all } from "../story/witnesses.ts";

const authority = AUTHORITY.address;
const begin = steady(0, 10, 500);
const ledgerOf = (...entries: Entry[]) => foldStory(...begin, ...entries).ledger;
const busy = all(3, { state: "busy" as const, rows: 900 });
const refused = all(3, { state: "failed" as const, reason: "no history", isRefused: true });
const search = (
  minute: number,
  after: number,
  upTo: number,
  more: Partial<Parameters<typeof transactions>[2]> = {},
) => transactions(minute, 3, { after, upTo, found: [], ...more });

describe("for an event its authority is searched", () => {
  const at = (minute: number) => panelCheck(minute, withA(10_000), { of: 3 });
  const whole = { authority, after: slotAt(10), upTo: null, transactionsMax: 100 };
  const window = { ...whole, upTo: slotAt(11) + 32 + 150, transactionsMax: 50 };
  const fromBefore = { ...whole, after: slotAt(10) - SLOTS_IN_EPOCH };

  it.each<[string, Entry[], object[]]>([
    ["from an epoch before its window", [], [fromBefore]],
    [
      "from there too where the last search is long ago",
      [search(9.9, -500, 10 - 3.5 * 120)],
      [fromBefore],
    ],
    [
      "from where its window begins, if the last search ended later",
      [search(11.1, -50, 10.5), at(12.3)],
      [whole],
    ],
    [
      "from there too, where only slots after it are covered",
      [search(11.2, 11.1, 11.15), at(12.3)],
      [whole],
    ],
    [
      "not again once it is proved",
      [search(11.2, -50, 11.1, { found: [setsA(10.8, [10_000])] })],
      [],
    ],
    ["nor where there is nothing", [search(11.3, -50, 11.2)], []],
    [
      "in the window alone, if it is busy",
      [search(11.1, -50, 11.1, { answers: busy }), at(12.3)],
      [window],
    ],
  ])("%s", (_, entries, due) => {
    expect(searchesForEvents(ledgerOf(...changed(11, 10_000), ...entries), timeAt(0))).toEqual(due);
  });

  // What was listed at 11.1 is covered up to 10.1.
  const looked = transactions(10.1, 3, {
    after: -50,
    upTo: 10.1,
    answers: all(3, { state: "ok", after: slotAt(-50), upTo: slotAt(11.1) }),
    found: [],
  });
  const failed = search(12.3, -50, 11, {
    answers: all(3, { state: "failed", reason: "no answer", isRefused: false }),
  });

  it.each<[string, Entry[], boolean, boolean]>([
    ["not while nodes may still lack them", [looked, at(11.5)], false, false],
    ["as soon as they list all of its window", [looked, at(12.3)], true, true],
    ["after that with snapshots only", [looked, at(13), failed, at(14)], true, false],
    ["not once all is covered", [looked, at(13), search(13, 10, 12), at(15)], false, false],
  ])("again %s", (_, entries, withSnapshot, withCheck) => {
    const ledger = ledgerOf(...changed(11, 10_000), ...entries);
    expect(searchesForEvents(ledger, timeAt(0)).length > 0).toBe(withSnapshot);
    expect(searchesOfRipe(ledger, timeAt(10)).length > 0).toBe(withCheck);
    expect(searchesOfRipe(ledger, timeAt(12))).toEqual([]);
  });

  it("that still waits, but not for one that was confirmed before", () => {
    expect(searchesForEvents(ledgerOf(...changed(11, 10_000)), timeAt(12))).toEqual([]);
    const pending = searchesForEvents(
      ledgerOf(panelCheck(11, withA(10_000), { of: 3, by: 1 })),
      timeAt(11),
    );
    expect(pending.map((one) => one.authority)).toEqual([authority]);
  });
});

describe("a sweep", () => {
  function sweep(
    epochs: number,
    { every, before }: { every: number; before: (minute: number) => Entry[] },
  ) {
    const entries: Entry[] = [];
    const turns = new Map<string, number>();
    let most = 0;
    for (let minute = 0; minute < epochs * 120; minute += every) {
      const by = (minute / every) % 3;
      entries.push(...before(minute), panelSnapshot(minute, withA(), { of: 3, by, authority }));
      const { ledger } = foldStory(...entries);
      for (const key of authoritiesOf(ledger)) turns.set(key, turns.get(key) ?? 0);
      const due = searchesOfSweep(ledger);
      most = Math.max(most, due.length);
      for (const one of due) turns.set(one.authority, (turns.get(one.authority) ?? 0) + 1);
      const searches = due.map((one) => ({
        authority: one.authority,
        after: minute - 200,
        upTo: minute,
        found: [],
      }));
      if (due.length > 0) entries.push(transactions(minute + 0.1, 3, ...searches));
    }
    return { turns, most };
  }

  it.each([
    [10, 2],
    [60, 10],
  ])(
    "comes to each once an epoch, a few at a time, with snapshots each %i minutes",
    (every, mostAtOnce) => {
      const { turns, most } = sweep(3, { every, before: () => [] });
      expect(turns.size).toBe(10);
      expect(Math.min(...turns.values())).toBeGreaterThanOrEqual(2);
      expect(Math.max(...turns.values())).toBeLessThanOrEqual(4);
      expect(most).toBeLessThanOrEqual(mostAtOnce);
    },
  );

  it("comes to everybody in time, though one of them is searched for an event before each of its parts", () => {
    const before = (minute: number) => [
      panelCheck(minute - 1, withA(), { of: 3 }),
      search(minute - 0.9, minute - 200, minute - 1),
    ];
    const { turns } = sweep(3, {
      every: 60,
      before: (minute) => (minute === 0 ? [] : before(minute)),
    });
    turns.delete(authority);
    expect(turns.size).toBeGreaterThanOrEqual(9);
    expect(Math.min(...turns.values())).toBeGreaterThanOrEqual(2);
  });

  it.each([
    ["where its last search ended, though the key got another account since", 9, 9],
    ["an epoch ago, where that was long ago", 240 - 3.5 * 120, 120],
  ])("searches from %s", (_, upTo, begins) => {
    const key = keyOf("crowd 1");
    const ledger = ledgerOf(
      search(10.2, -500, upTo, { authority: key }),
      ...steady(240, 240, 500, key),
    );
    expect(searchesOfSweep(ledger).find((one) => one.authority === key)?.after).toBe(
      slotAt(begins),
    );
  });

  it("says how many are covered, busy, refused", () => {
    const crowd = (index: number, more = {}) => ({
      authority: keyOf(`crowd ${index}`),
      after: -50,
      upTo: 10,
      found: [],
      ...more,
    });
    const searches = [crowd(0), crowd(1, { answers: busy }), crowd(2, { answers: refused })];
    expect(
      summariseSweep(
        ledgerOf(transactions(10.2, 3, { after: -50, upTo: 9, found: [] }, ...searches)),
      ),
    ).toEqual({
      validators: 10,
      covered: 2,
      upToSlot: slotAt(9),
      busy: [{ authority: keyOf("crowd 1"), votes: [keyOf("crowd 1")] }],
      refused: 1,
      contradictions: 0,
    });
  });
});

it("slots after a gap do not count as covered", () => {
  const sweepOf = (...searches: Entry[]) => {
    const { covered, upToSlot } = summariseSweep(ledgerOf(...steady(20, 60, 500), ...searches));
    return { covered, upToSlot };
  };
  const [early, late] = [search(20, -50, 15), search(60, 30, 50)];
  expect(sweepOf(early)).toEqual({ covered: 1, upToSlot: slotAt(15) });
  expect(sweepOf(early, late)).toEqual({ covered: 1, upToSlot: slotAt(15) });
  expect(sweepOf(late)).toEqual({ covered: 0, upToSlot: null });
  expect(sweepOf(early, late, search(60, 15, 30))).toEqual({ covered: 1, upToSlot: slotAt(50) });
});

describe("where no history of transactions is kept", () => {
  const asked = [...changed(11, 10_000), search(11.2, -50, 10, { answers: refused })];

  it("nobody is searched for a day, and then it is tried again", () => {
    const ledger = ledgerOf(...asked);
    expect([...searchesOfSweep(ledger), ...searchesForEvents(ledger, timeAt(0))]).toEqual([]);
    expect(summariseSweep(ledger).refused).toBe(10);
    expect(searchesOfSweep(ledgerOf(...asked, ...steady(1_420, 1_440, 10_000)))).toEqual([]);
    expect(searchesOfSweep(ledgerOf(...asked, ...steady(1_440, 1_460, 10_000)))).not.toEqual([]);
  });

  it("nobody is spared who is asked by a majority that keeps one", () => {
    const answers = [refused[0]!, "true" as const, "true" as const];
    expect(
      searchesOfSweep(ledgerOf(search(11.2, -50, 10, { answers }), ...steady(20, 20, 500))),
    ).not.toEqual([]);
  });

  it("nobody is spared where of several authorities searched together only some are refused", () => {
    const told = { after: -50, upTo: 10, found: [] };
    const other = { ...told, authority: keyOf("crowd 1") };
    for (const [first, second] of [
      [{ ...told, answers: refused }, other],
      [told, { ...other, answers: refused }],
    ] as const)
      expect(
        searchesOfSweep(ledgerOf(transactions(11.2, 3, first, second), ...steady(60, 60, 500))),
      ).not.toEqual([]);
  });
});

it("the history is what is not covered yet, of each authority", () => {
  const due = searchesOfHistory(ledgerOf(search(10.2, 2, 8)), slotAt(-100));
  expect(due.filter((one) => one.authority === authority)).toEqual([
    { authority, after: slotAt(-100), upTo: slotAt(2), transactionsMax: 1_000 },
    { authority, after: slotAt(8), upTo: null, transactionsMax: 1_000 },
  ]);
  const newest = searchesOfHistory(ledgerOf(search(10.2, -100, 9)), slotAt(-100));
  expect(newest.map((one) => one.authority)).not.toContain(authority);
});
