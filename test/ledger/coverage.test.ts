import { describe, expect, it } from "vitest";
import type { SearchAnswer, TransactionAnswer } from "../../generator/entries/entry.ts";
import { agreeOnTransactions } from "../../generator/agree/transactions.ts";
import {
  gapsWithin,
  isCovered,
  isSearched,
  keepSearch,
} from "../../generator/ledger/proof/coverage.ts";
import type { SearchRecord } from "../../generator/ledger/ledger.ts";
import type { Authority, ValidatorRecord } from "../../generator/ledger/records.ts";
import { validator } from "../documents/fixtures.ts";
import { transactions } from "../story/transactions.ts";

type Spans = [after: number, upTo: number][];
const at = { time: "2026-11-20T10:00:00.000Z", slot: 700 };
const PANEL_SIZE = 3;
const ok = (after: number, upTo: number): SearchAnswer => ({ state: "ok", after, upTo });
const busy: SearchAnswer = { state: "busy", rows: 5_000 };
const refused: SearchAnswer = { state: "failed", reason: "no history here", isRefused: true };
const failed: SearchAnswer = { state: "failed", reason: "no answer in time", isRefused: false };

const unknown: TransactionAnswer = { state: "unknown" };
const unread: TransactionAnswer = { state: "failed", reason: "no answer in time" };
const NOTHING = { index: null, blockTime: null, failed: false, bytes: "", inner: [], loaded: [] };
const toldAt = (slot: number): TransactionAnswer => ({ state: "ok", slot, ...NOTHING });

/** What searches in a row cover if the transaction they find is undecided. */
function keep(searches: SearchAnswer[][], undecided: TransactionAnswer[] = [], slot = at.slot) {
  const holder = validator({ name: "A", authorities: [{ key: "a", from: 0, to: 0, covered: [] }] });
  const ledger = { searches: new Map<string, SearchRecord>(), validators: [holder] };
  const rows = undecided.length > 0 ? [{ signature: "s", answers: undecided }] : [];
  for (const answers of searches) {
    const search = {
      authority: "a",
      after: 0,
      upTo: null,
      answers,
      transactions: [...rows.keys()],
    };
    const read = agreeOnTransactions(
      { ...transactions(0, PANEL_SIZE), searches: [search], transactions: rows },
      slot,
    );
    for (const one of read.searches) keepSearch(ledger, one, { ...at, slot: read.slot });
  }
  return { covered: holder.authorities[0]?.covered, last: ledger.searches.get("a") };
}

describe("a search covers", () => {
  it.each<[string, SearchAnswer[], Spans, string]>([
    [
      "only slots that so many list together",
      [ok(0, 90), ok(20, 100), failed],
      [[20, 90]],
      "covered",
    ],
    ["the longest of such spans", [ok(0, 100), ok(10, 95), ok(40, 100)], [[10, 95]], "covered"],
    ["nothing by one of three", [ok(0, 100), failed, failed], [], "failed"],
    ["nothing where two keep different parts", [ok(0, 50), ok(50, 100), failed], [], "failed"],
    ["nothing of a busy key", [busy, busy, ok(0, 100)], [], "busy"],
    ["nothing where no history is kept", [refused, refused, ok(0, 100)], [], "refused"],
  ])("%s", (_, answers, covered, outcome) => {
    expect(keep([answers])).toEqual({ covered, last: { ...at, outcome } });
  });

  const whole = [ok(0, 9), ok(0, 9), ok(0, 9)];
  const alone = (slot: number) => [toldAt(slot), unknown, unknown];

  it.each<[string, SearchAnswer[], TransactionAnswer[], Spans]>([
    ["nothing while a transaction is not decided", whole, [toldAt(5), unknown, unread], []],
    [
      "all, where a majority that lists all of it knows no such transaction",
      whole,
      alone(5),
      [[0, 9]],
    ],
    ["all, where it is told of other slots", whole, [toldAt(12), unknown, unread], [[0, 9]]],
    [
      "what is before it, where one is not there yet",
      [ok(0, 9), ok(0, 4), ok(0, 9)],
      alone(6),
      [[0, 4]],
    ],
    ["what those who do not know it list", [ok(0, 90), ok(0, 9), ok(0, 8)], alone(6), [[0, 8]]],
  ])("%s", (_, answers, told, covered) => {
    expect(keep([answers], told).covered).toEqual(covered);
  });

  it.each<[string, SearchAnswer[], TransactionAnswer[], Spans, string]>([
    [
      "only what nodes list by then",
      [ok(0, 100), ok(10, 95), ok(20, 60)],
      [],
      [[10, 70]],
      "covered",
    ],
    [
      "what any majority lists until then",
      [ok(0, 100), ok(10, 75), failed],
      [],
      [[10, 70]],
      "covered",
    ],
    ["nothing where all is newer", [ok(70, 100), ok(80, 95), failed], [], [], "covered"],
    [
      "all that is older than an undecided one",
      whole.map(() => ok(0, 90)),
      [toldAt(80), toldAt(80), unread],
      [[0, 70]],
      "covered",
    ],
    [
      "nothing while an older one is undecided",
      whole.map(() => ok(0, 90)),
      [toldAt(60), unread, unread],
      [],
      "failed",
    ],
  ])("300 slots after slot 70 %s", (_, answers, told, covered, outcome) => {
    expect(keep([answers], told, 370)).toEqual({ covered, last: { ...at, slot: 370, outcome } });
  });

  it("more each time, in one piece where they meet", () => {
    const twice = [ok(0, 100), ok(200, 300), ok(90, 150), ok(150, 200)].map((one) => [one, one]);
    const after = (count: number) => JSON.stringify(keep(twice.slice(0, count)).covered);
    expect([1, 2, 3, 4].map(after)).toEqual([
      "[[0,100]]",
      "[[0,100],[200,300]]",
      "[[0,150],[200,300]]",
      "[[0,300]]",
    ]);
  });
});

const holder: Authority = { key: "a", from: 10, to: 20, covered: [[0, 90]] };
const PROOF = { signature: "s", epoch: 0, blockTime: null, verified: "signature" as const };

/**
 * Whether slots are covered when one authority is searched up to a slot and the next from another.
 */
const isKnown = (firstUpTo: number, secondAfter: number, after: number) => {
  const authorities = [
    { key: "a", from: 10, to: 20, covered: [[0, firstUpTo] as [number, number]] },
    { key: "b", from: 40, to: 50, covered: [[secondAfter, 100] as [number, number]] },
  ];
  return isCovered(validator({ name: "A", authorities }), { after, upTo: 100 });
};

it("the slots of a validator are covered where each authority is that may have signed", () => {
  expect(isKnown(40, 19, 10)).toBe(true);
  expect(isKnown(39, 19, 10)).toBe(false);
  expect(isKnown(40, 20, 10)).toBe(false);
  expect(isKnown(0, 19, 41)).toBe(true);
  expect(isCovered(validator({ name: "B" }), { after: 0, upTo: 1 })).toBe(false);
});

const signedAt = (slot: number, signer: string, isDisputed = false) => ({
  rateProofs: [
    { ...PROOF, slot, signer, rates: [500], index: 0, foundAt: at.time, bytes: null, isDisputed },
  ],
});
const handedOverAt = (slot: number, signer: string) => ({
  accountChanges: [{ ...PROOF, slot, signer, of: "withdrawAuthority" as const, to: "b" }],
});

it.each<[string, Partial<ValidatorRecord>, number]>([
  ["the first reading of an authority", {}, 10],
  ["its first signature on a commission", signedAt(6, "a"), 5],
  ["its first signature on another change", handedOverAt(7, "a"), 6],
  ["the first reading, where the signature is disputed", signedAt(6, "a", true), 10],
  ["the first reading, where a later authority signed", signedAt(6, "b"), 10],
  ["the first reading, where it signed only later", signedAt(15, "a"), 10],
])("no slots are covered before %s: another may have signed", (_, more, after) => {
  const subject = { ...validator({ name: "A", authorities: [holder] }), ...more };
  expect(isCovered(subject, { after, upTo: 20 })).toBe(true);
  expect(isCovered(subject, { after: after - 1, upTo: 20 })).toBe(false);
  // A sample of a public history counts nonetheless.
  expect(isSearched(subject, { after: after - 1, upTo: 20 })).toBe(true);
});

const COVERED: Spans = [
  [10, 20],
  [40, 50],
];

it.each([
  [0, 60, "[[0,10],[20,40],[50,60]]"],
  [12, 45, "[[20,40]]"],
  [12, 18, "[]"],
  [50, 60, "[[50,60]]"],
  [0, 10, "[[0,10]]"],
])(
  "where 10 to 20 and 40 to 50 are covered, what is left to search after %i up to %i is %s",
  (after, upTo, left) => {
    expect(
      JSON.stringify(gapsWithin(COVERED, { after, upTo }).map((gap) => [gap.after, gap.upTo])),
    ).toBe(left);
    expect(gapsWithin([], { after, upTo })).toEqual([{ after, upTo }]);
  },
);
