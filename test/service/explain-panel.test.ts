import { afterEach, describe, expect, it } from "vitest";
import { toText } from "../../generator/commands/explain.ts";
import type { AccountsAnswer, CheckEntry, PanelConfirmEntry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { at } from "../ledger/mev-facts.ts";
import { check, epochAt, keyOf, slotAt, snapshot, tell, timeAt, withA } from "../ledger/story.ts";
import { explainStory } from "./explaining.ts";
import { explainAs, openToldJournal, type ToldJournal } from "./told-journal.ts";

const WITNESSES = ["https://a.example#0", "https://b.example#1", "https://c.example#2"];
const AUTHORITY = keyOf("authority");

/** Basis points of A in a witness's account; null: no answer. */
type Told = number | null;

const failed = (endpoint: string) => ({ state: "failed" as const, endpoint, reason: "HTTP status\u001b[2J 503" });

function byPanel<Entry extends CheckEntry | SnapshotEntry>(minute: number, entry: Entry, read = 0): Entry {
  const panel = WITNESSES.map((endpoint) => ({ endpoint, slot: slotAt(minute), reason: null }));
  return { ...entry, endpoint: WITNESSES[read] ?? "", panel };
}

function full(minute: number, bps: number, told: Told[]): SnapshotEntry {
  const entry = byPanel(minute, snapshot(minute, withA({ bps })));
  const accounts = WITNESSES.map((endpoint, witness): AccountsAnswer => {
    const rate = told[witness] ?? null;
    if (rate === null) return failed(endpoint);
    const rows = entry.votes.map(({ vote, basisPoints }): [number | null, null, string] => [
      vote === keyOf("A") ? rate : basisPoints,
      null,
      AUTHORITY,
    ]);
    return { state: "ok", endpoint, slot: slotAt(minute) - witness, rows };
  });
  return { ...entry, accounts };
}

function second(minute: number, told: { account?: Told[]; share?: Told[] }): PanelConfirmEntry {
  const { account, share } = told;
  return {
    kind: "confirm",
    format: 1,
    network: "mainnet",
    time: timeAt(minute),
    votes: account === undefined ? [] : [keyOf("A")],
    tips: share === undefined ? [] : [{ vote: keyOf("A"), epoch: epochAt(minute) }],
    answers: WITNESSES.map((endpoint, witness) => {
      const [rate, tip] = [account?.[witness] ?? null, share?.[witness] ?? null];
      if (rate === null && tip === null) return failed(endpoint);
      const rows: [number, null, string][] = rate === null ? [] : [[rate, null, AUTHORITY]];
      const shares: [number][] = tip === null ? [] : [[tip]];
      return { state: "ok", endpoint, slot: slotAt(minute) - witness, rows, shares };
    }),
  };
}

const first = full(0, 500, [500, 500, 500]);
const old = byPanel(1, check(1, withA({ bps: 500 })));
const seen = byPanel(2, check(2, withA({ bps: 9_500 })), 1);
const confirmed = second(2.02, { account: [500, 9_500, 9_500] });
const OLD_THRICE = "account: old account: old account: old";

describe("behind a change that a panel decided about are", () => {
  it("the word of each witness, in the second reading and in the snapshot that showed the old value to most", () => {
    expect(explainStory([first, old, seen, confirmed])).toEqual([
      `before snapshot 0 votes: old ${OLD_THRICE}`,
      "between check 1 votes: old",
      "first check 2 votes: new",
      "second confirm 2.02 account: old account: new account: new",
    ]);
  });

  it("one snapshot, where the accounts in it decide at once", () => {
    expect(explainStory([first, full(10, 9_500, [9_500, null, 9_500])])).toEqual([
      `before snapshot 0 votes: old ${OLD_THRICE}`,
      "first snapshot 10 votes: new account: new account: nothing account: new",
    ]);
  });

  it("a second reading that denied it before, as the last that showed the old value to most", () => {
    const denied = second(2.02, { account: [500, 500, 500] });
    const again = byPanel(3, check(3, withA({ bps: 9_500 })), 1);
    expect(explainStory([first, seen, denied, again, second(3.02, { account: [9_500, 9_500, null] })])).toEqual([
      `before confirm 2.02 ${OLD_THRICE}`,
      "first check 3 votes: new",
      "second confirm 3.02 account: new account: new account: nothing",
    ]);
  });

  it("of MEV the tip account as each of them reads it", () => {
    const story = [
      byPanel(0, at(0, 800)),
      second(0.02, { share: [800, 800, 800] }),
      byPanel(130, at(130, 10_000)),
      second(130.02, { share: [10_000, null, 10_000] }),
    ];
    expect(explainStory(story)).toEqual([
      "before snapshot 0 mev: old",
      "between confirm 0.02 tips: old tips: old tips: old",
      "first snapshot 130 mev: new",
      "second confirm 130.02 tips: new tips: nothing tips: new",
    ]);
  });
});

describe("for a person an explanation", () => {
  let told: ToldJournal;
  afterEach(() => told.close());

  async function textOf(...entries: Parameters<typeof openToldJournal>): Promise<string> {
    told = await openToldJournal(...entries);
    const event = tell(...entries).ledger.events[0]?.id ?? "";
    return toText(await explainAs(told.command, event));
  }

  it("tells in a line each who said what, at which slot, and who said nothing", async () => {
    const text = await textOf(first, old, seen, second(2.02, { account: [9_500, 9_500, null] }));
    const lines = text.split("\n").filter((line) => line.includes("example#") && line.includes("account"));
    const said = (witness: number) =>
      `  ${WITNESSES[witness] ?? ""} at slot ${slotAt(2.02) - witness}: the new value, by the vote account itself: basisPoints 9500, percent null, withdrawAuthority ${AUTHORITY}`;
    expect(lines.slice(-2)).toEqual([said(0), said(1)]);
    expect(text).toContain("  https://c.example#2: no answer: HTTP status");
    expect(text).not.toContain("\u001b");
  });

  it("says of a snapshot that decided at once that it confirmed, too", async () => {
    const text = await textOf(first, full(10, 9_500, [9_500, 9_500, null]));
    expect(text).toMatch(/^first with the new value, and confirmed {2}2026-11-20\/101000000-snapshot-/m);
  });
});
