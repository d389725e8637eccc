import { describe, expect, it } from "vitest";
import { gapsWithin, isCovered, keepSearch } from "../../generator/ledger/coverage.ts";
import type { SearchAnswer, TransactionAnswer, TransactionRow } from "../../generator/entries/entry.ts";
import type { SearchRecord } from "../../generator/ledger/ledger.ts";
import type { Panel } from "../../generator/ledger/witnesses.ts";
import { validator } from "../documents/fixtures.ts";

const at = { time: "2026-11-20T10:00:00.000Z", slot: 500 };
const panel: Panel = { witnesses: [0, 1, 2], majority: 2, liarsMost: 1 };
const ok = (after: number, upTo: number): SearchAnswer => ({ state: "ok", after, upTo });
const busy: SearchAnswer = { state: "busy", rows: 5_000 };
const refused: SearchAnswer = { state: "failed", reason: "no history here", isRefused: true };
const failed: SearchAnswer = { state: "failed", reason: "no answer in time", isRefused: false };

const unknown: TransactionAnswer = { state: "unknown" };
const unread: TransactionAnswer = { state: "failed", reason: "no answer in time" };
const toldAt = (slot: number): TransactionAnswer => ({
  state: "ok",
  slot,
  index: null,
  blockTime: null,
  failed: false,
  bytes: "",
  inner: [],
  loaded: [],
});

function keep(searches: { answers: SearchAnswer[]; undecided?: TransactionRow[] }[]) {
  const holder = validator({ name: "A", authorities: [{ key: "a", from: 0, to: 0, covered: [] }] });
  const ledger = { searches: new Map<string, SearchRecord>(), validators: [holder] };
  for (const { answers, undecided = [] } of searches)
    keepSearch(ledger, { authority: "a", after: 0, upTo: null, answers, transactions: [] }, { panel, undecided, at });
  return { covered: holder.authorities[0]?.covered, last: ledger.searches.get("a") };
}

describe("a search covers", () => {
  const table: [string, SearchAnswer[], [number, number][], string][] = [
    ["what a majority lists completely", [ok(0, 100), ok(0, 100), failed], [[0, 100]], "covered"],
    ["only slots that so many list together", [ok(0, 90), ok(20, 100), failed], [[20, 90]], "covered"],
    ["the longest of such spans", [ok(0, 100), ok(10, 95), ok(40, 100)], [[10, 95]], "covered"],
    ["nothing by one of three", [ok(0, 100), failed, failed], [], "failed"],
    ["nothing where two keep different parts", [ok(0, 50), ok(50, 100), failed], [], "failed"],
    ["nothing of a busy key", [busy, busy, ok(0, 100)], [], "busy"],
    ["what a majority lists, though one calls it busy", [busy, ok(0, 100), ok(0, 100)], [[0, 100]], "covered"],
    ["nothing where no history is kept", [refused, refused, ok(0, 100)], [], "refused"],
  ];

  it.each(table)("%s", (_, answers, covered, outcome) => {
    expect(keep([{ answers }])).toEqual({ covered, last: { ...at, outcome } });
  });

  const doubtful: [string, SearchAnswer[], TransactionAnswer[], [number, number][]][] = [
    ["nothing while a transaction is not decided", [ok(0, 9), ok(0, 9), ok(0, 9)], [toldAt(5), unknown, unread], []],
    [
      "all, where a majority that lists all of it knows no such transaction",
      [ok(0, 9), ok(0, 9), ok(0, 9)],
      [toldAt(5), unknown, unknown],
      [[0, 9]],
    ],
    ["all, where it is told of other slots", [ok(0, 9), ok(0, 9), ok(0, 9)], [toldAt(12), unknown, unread], [[0, 9]]],
    [
      "what is before it, where one of those who do not know it is not there yet",
      [ok(0, 9), ok(0, 4), ok(0, 9)],
      [toldAt(6), unknown, unknown],
      [[0, 4]],
    ],
    [
      "what those who do not know it list, however far who tells of it does",
      [ok(0, 90), ok(0, 9), ok(0, 8)],
      [toldAt(6), unknown, unknown],
      [[0, 8]],
    ],
  ];

  it.each(doubtful)("%s", (_, answers, told, covered) => {
    expect(keep([{ answers, undecided: [{ signature: "s", answers: told }] }]).covered).toEqual(covered);
  });

  it("more each time, in one piece where they meet", () => {
    const spans = [ok(0, 100), ok(200, 300), ok(90, 150), ok(150, 200)];
    const pieces = spans.map(
      (_, index) => keep(spans.slice(0, index + 1).map((one) => ({ answers: [one, one] }))).covered,
    );
    expect(pieces).toEqual([
      [[0, 100]],
      [
        [0, 100],
        [200, 300],
      ],
      [
        [0, 150],
        [200, 300],
      ],
      [[0, 300]],
    ]);
  });
});

describe("the slots of a validator", () => {
  const isKnown = (a: [number, number], b: [number, number], span: [number, number]) => {
    const authorities = [
      { key: "a", from: 10, to: 20, covered: [a] },
      { key: "b", from: 40, to: 50, covered: [b] },
    ];
    return isCovered(validator({ name: "A", authorities }), { after: span[0], upTo: span[1] });
  };

  it("are covered where each authority is that may have signed", () => {
    expect(isKnown([0, 40], [19, 100], [5, 100])).toBe(true);
    expect(isKnown([0, 39], [19, 100], [5, 100])).toBe(false);
    expect(isKnown([0, 40], [20, 100], [5, 100])).toBe(false);
    expect(isKnown([0, 0], [19, 100], [41, 100])).toBe(true);
  });

  it("are not where no authority is known", () => {
    expect(isCovered(validator({ name: "B" }), { after: 0, upTo: 1 })).toBe(false);
  });
});

describe("what is left to search", () => {
  const table: [[number, number], [number, number][]][] = [
    [
      [0, 60],
      [
        [0, 10],
        [20, 40],
        [50, 60],
      ],
    ],
    [[12, 45], [[20, 40]]],
    [[12, 18], []],
    [[50, 60], [[50, 60]]],
    [[0, 10], [[0, 10]]],
  ];
  const covered: [number, number][] = [
    [10, 20],
    [40, 50],
  ];

  it.each(table)("of %j: %j", ([after, upTo], gaps) => {
    expect(gapsWithin(covered, { after, upTo }).map((gap) => [gap.after, gap.upTo])).toEqual(gaps);
  });

  it("is all of it where nothing was searched", () => {
    expect(gapsWithin([], { after: 3, upTo: 9 })).toEqual([{ after: 3, upTo: 9 }]);
  });
});
