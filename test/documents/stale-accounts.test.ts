import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { countContradictions } from "../../generator/views/contradictions.ts";
import { withdrawFromVoteAccount } from "../integration/validator/vote-program.ts";
import { minutes, slotAt, timeAt } from "../story/clock.ts";
import { foldStory, type Outcome } from "../story/fold.ts";
import { validatorOf } from "../story/outcome.ts";
import { panelCheck, panelSnapshot, type AccountRate } from "../story/panels.ts";
import { A, AUTHORITY, execute, setsA, steady, transactions } from "../story/transactions.ts";
import { keyOf, withA } from "../story/validators.ts";
import { all } from "../story/witnesses.ts";
import { read } from "./read.ts";

/*
 * Under load a node answers for an account what it held a flush ago, or
 * nothing, under a right slot: all witnesses at once, and their tip accounts
 * and authorities too. Their lists come from the bank and are right.
 */

const authority = AUTHORITY.address;
const key = { votePubkey: keyOf("A") };

/** What documents tell of A: its changes, its rate, and what is pending. */
function published(told: Outcome) {
  const events = read(told.ledger, "validatorEvents", key).data;
  const changes = events.map(({ fromCommission, toCommission, confirmedBy }) => {
    return `${fromCommission}→${toCommission} by ${confirmedBy}`;
  });
  return { changes: changes.reverse(), rate: read(told.ledger, "validator", key).data.commission };
}

describe.each([1, 2, 3, 4])("of %i honest witnesses whose accounts are out of date", (of) => {
  /** Lists show one rate, accounts another. */
  const poll = (minute: number, listed: number, held: AccountRate): Entry[] => [
    panelSnapshot(minute, withA(listed), {
      of,
      by: Math.floor(minute) % of,
      accounts: all(of, held),
      authority,
    }),
  ];
  const ask = (minute: number, listed: number, held: AccountRate): Entry[] => [
    panelCheck(minute, withA(listed), {
      of,
      by: Math.floor(minute) % of,
      accounts: all(of, held),
      authority,
    }),
  ];
  const by = of === 1 ? "observations" : "witnesses";

  it.each<[string, AccountRate]>([
    ["everything", 10_000],
    ["a value of before", 900],
    ["none of the accounts", null],
  ])("a rate that the lists show is no change, though accounts show %s", (_, held) => {
    const entries = [
      ...poll(0, 500, 500),
      ...minutes(1, 20).flatMap((minute) => ask(minute, 500, held)),
    ];
    const outcome = foldStory(...entries, ...[21, 31].flatMap((minute) => poll(minute, 500, held)));
    expect(published(outcome)).toEqual({ changes: [], rate: 5 });
    expect(outcome.pending).toEqual([]);
  });

  it.each<[string, AccountRate]>([
    ["the value before it", 500],
    ["one of long before", 900],
    ["none", null],
    ["no answer", "silent"],
  ])("a change that the lists show is told, though accounts show %s", (_, held) => {
    const outcome = foldStory(
      ...poll(0, 500, 500),
      ...poll(10, 500, 500),
      ...ask(11, 10_000, held),
      ...ask(12, 10_000, held),
    );
    expect(published(outcome)).toEqual({ changes: [`5→100 by ${by}`], rate: 100 });
  });

  it("a fall is no rise, where a snapshot's accounts still show what was before it", () => {
    const outcome = foldStory(
      ...[0, 10, 20].flatMap((minute) => poll(minute, 900, 900)),
      ...[
        ...ask(25, 0, 0),
        ...ask(25.6, 0, 0),
        ...poll(26, 0, 900),
        ...ask(27, 0, 900),
        ...poll(36, 0, 0),
      ],
      transactions(38, of, { after: -100, upTo: 37.9, found: [setsA(24.5, [0])] }),
    );
    expect(published(outcome)).toEqual({ changes: ["9→0 by transaction"], rate: 0 });
    expect(countContradictions(outcome.ledger)).toBe(0);
  });

  it("a rug taken back is no new one", () => {
    const outcome = foldStory(
      ...[0, 10, 20].flatMap((minute) => poll(minute, 10_000, 10_000)),
      ...[
        ...ask(25, 500, 500),
        ...ask(25.5, 500, 10_000),
        ...poll(26, 500, 10_000),
        ...ask(27, 500, 500),
      ],
      ...poll(36, 500, 500),
      transactions(38, of, { after: -100, upTo: 37.9, found: [setsA(24.9, [500])] }),
    );
    expect(published(outcome)).toEqual({ changes: ["100→5 by transaction"], rate: 5 });
    expect(read(outcome.ledger, "validatorJsonFeed", key)).not.toMatchObject({ items: [{}, {}] });
  });

  it("a former withdraw authority does not return by one reading", () => {
    const other = keyOf("the former authority");
    const shows = (minute: number, key: string) =>
      panelSnapshot(minute, withA(500), { of, accounts: all(of, 500), authority: key });
    const begin = [shows(0, other), shows(10, authority), shows(11, authority)];
    const outcome = foldStory(...begin, shows(20, other), shows(30, authority));
    const spansOf = (one: Outcome) =>
      validatorOf(one, "A").authorities.map(({ key, from }) => [
        key === other ? "former" : "new",
        from - slotAt(0),
      ]);
    const [, second] = spansOf(outcome);
    expect(spansOf(outcome)).toEqual([["former", 0], second]);
    // But by two that are two minutes apart.
    const returned = foldStory(...begin, shows(20, other), shows(22, other));
    expect(spansOf(returned).map(([whose]) => whose)).toEqual(["former", "new", "former"]);
  });
});

describe("a change whose window is searched", () => {
  const three = (minute: number, bps: number): Entry[] => [
    panelCheck(minute, withA(bps), { of: 3, by: 1, accounts: all(3, bps), authority }),
  ];
  const begin = steady(0, 20, 500);
  const search = (minute: number, ...found: Parameters<typeof transactions>[2]["found"]) =>
    transactions(minute, 3, { after: -100, upTo: minute - 0.1, found });

  it("and that no transaction made is disputed, and no event", () => {
    const seen = foldStory(...begin, ...three(25, 10_000));
    expect(published(seen)).toMatchObject({ changes: ["5→100 by witnesses"], rate: 100 });
    const outcome = foldStory(
      ...begin,
      ...three(25, 10_000),
      ...three(26, 10_000),
      search(30),
      ...three(31, 10_000),
    );
    expect(published(outcome)).toEqual({ changes: [], rate: 5 });
    expect(outcome.pending).toMatchObject([
      { from: 500, to: 10_000, disputed: true, first: { time: timeAt(25) } },
    ]);
    const again = foldStory(...begin, ...three(25, 10_000), search(30), ...three(31.1, 10_000));
    expect(again.pending).toMatchObject([{ disputed: true, first: { time: timeAt(25) } }]);
    expect(
      read(outcome.ledger, "commissionHistory", key).data.map(({ commission }) => commission),
    ).toEqual([5]);
    const past = foldStory(
      ...begin,
      ...three(25, 10_000),
      search(30),
      ...three(31.1, 500),
      ...three(32, 500),
    );
    expect(past.pending).toEqual([]);
    expect(published(past)).toEqual({ changes: [], rate: 5 });
  });

  it("both ways, there and back, is none either", () => {
    const outcome = foldStory(
      ...begin,
      ...three(25, 10_000),
      ...three(26, 500),
      search(30),
      ...three(31.1, 500),
    );
    expect(published(outcome)).toEqual({ changes: [], rate: 5 });
    expect(outcome.pending).toEqual([]);
  });

  it("is one after all where its transaction is found", () => {
    const outcome = foldStory(
      ...begin,
      ...three(25, 10_000),
      search(30),
      search(31, setsA(24.8, [10_000])),
    );
    expect(published(outcome)).toMatchObject({ changes: ["5→100 by transaction"], rate: 100 });
  });

  it("is one where the account may have been closed and opened again", () => {
    const closing = withdrawFromVoteAccount({
      vote: A,
      to: keyOf("a purse"),
      withdrawer: authority,
      lamports: 1n,
    });
    const outcome = foldStory(
      ...begin,
      ...three(25, 10_000),
      search(30, execute(slotAt(24), [closing], [AUTHORITY])),
    );
    expect(published(outcome)).toMatchObject({ changes: ["5→100 by witnesses"], rate: 100 });
    const before = execute(slotAt(15), [closing], [AUTHORITY]);
    expect(
      published(foldStory(...begin, ...three(25, 10_000), search(30, before))).changes,
    ).toEqual([]);
  });

  it("is one where not all of its window is searched", () => {
    const late = transactions(30, 3, { after: 20.5, upTo: 29.9, found: [] });
    expect(published(foldStory(...begin, ...three(25, 10_000), late)).changes).toEqual([
      "5→100 by witnesses",
    ]);
    const early = transactions(25.1, 3, { after: -100, upTo: 25.05, found: [] });
    expect(published(foldStory(...begin, ...three(25, 10_000), early)).changes).toEqual([
      "5→100 by witnesses",
    ]);
  });
});
