import { describe, expect, it } from "vitest";
import { type AgreedRates, agreeOnRates, type RateReading } from "../../generator/agree/rates.ts";
import { readLists } from "../../generator/agree/witness-lists.ts";
import type { AccountRow, CheckEntry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { slotAt } from "../story/clock.ts";
import { checkBy, snapshotBy } from "../story/observations.ts";
import { keyOf } from "../story/validators.ts";
import { all, endpointOf, SILENT, type Witness } from "../story/witnesses.ts";

const MINUTE = 40;
const SLOT = slotAt(MINUTE);
const toCheck = (witnesses: readonly Witness[]) => checkBy(MINUTE, witnesses);
const toSnapshot = (witnesses: readonly Witness[]) => snapshotBy(MINUTE, witnesses);

const KEY = "authority";

function readingOf(entry: CheckEntry | SnapshotEntry, isWhole = false) {
  const rates = agreeOnRates(entry, readLists(entry, null), { isWhole });
  return toByVote(entry, rates).get(keyOf("A")) ?? null;
}

function ratesOf(entry: CheckEntry | SnapshotEntry) {
  const rates = agreeOnRates(entry, readLists(entry, SLOT), { isWhole: false });
  return { panel: rates.panel, byVote: toByVote(entry, rates) };
}

/** Without vote accounts for which no witness gave a rate. */
function toByVote({ votes }: CheckEntry | SnapshotEntry, { listed, unlisted }: AgreedRates) {
  expect(listed).toHaveLength(votes.length);
  const ofRows = votes.flatMap(({ vote }, index) => {
    const reading = listed[index] ?? null;
    return reading === null ? [] : [[vote, reading] as const];
  });
  return new Map([...ofRows, ...unlisted]);
}

/** "5.50" is exact, "5 %" a percent, null: no majority, "nothing": nobody said anything. */
function toText(reading: RateReading | null): string | null {
  if (reading === null) return "nothing";
  if (reading.agreed === null) return null;
  const { commission, isAlone, of } = reading.agreed;
  const { basisPoints, exact } = commission;
  const rate = exact ? (basisPoints / 100).toFixed(2) : `${basisPoints / 100} %`;
  return [rate, ...(of === "account" ? ["by account"] : []), ...(isAlone ? ["alone"] : [])].join(
    ", ",
  );
}

const bps = (basisPoints: number | null, rest: Partial<Witness> = {}): Witness => ({
  list: [{ name: "A", bps: basisPoints }],
  ...rest,
});
const percent = (of: number, rest: Partial<Witness> = {}): Witness => ({
  list: [{ name: "A", percent: of }],
  ...rest,
});
/** A percent and the own account of it, in basis points; null: not there. */
const backed = (of: number, account: number | null, rest: Partial<Witness> = {}): Witness => {
  const row: AccountRow = account === null ? null : [account, null, KEY, null];
  return percent(of, { accounts: { A: row }, ...rest });
};
const lacking: Witness = { list: [] };

describe("of an exact rate a panel agrees on", () => {
  it.each<[string, Witness[], string | null]>([
    ["what its only witness lists", [bps(550)], "5.50"],
    ["what two list", [bps(550), bps(550)], "5.50"],
    ["nothing that two list apart", [bps(550), bps(600)], null],
    ["what one of two lists, the other silent", [bps(550), SILENT], "5.50, alone"],
    ["what the second of two lists, the first silent", [SILENT, bps(550)], "5.50, alone"],
    ["nothing by one of two, the other listing no such account", [bps(550), lacking], null],
    ["nothing by one of two, the first listing no such account", [lacking, bps(550)], null],
    ["what two of three list, the first lying", [bps(9_900), bps(550), bps(550)], "5.50"],
    ["what two of three list, the last lying", [bps(550), bps(550), bps(9_900)], "5.50"],
    ["what two of three list, one silent", [bps(550), SILENT, bps(550)], "5.50"],
    ["what two of three list, the first lacking it", [lacking, bps(550), bps(550)], "5.50"],
    ["nothing made up by one of three", [bps(550), lacking, lacking], null],
    ["nothing by one of three, the others silent", [bps(550), SILENT, SILENT], null],
    [
      "nothing by one of three, the others giving no list",
      [bps(550), { list: null }, { list: null }],
      null,
    ],
    ["nothing of three that differ", [bps(550), bps(600), bps(700)], null],
    ["what three of four list", [bps(550), bps(550), bps(9_900), bps(550)], "5.50"],
    ["nothing of four that are two and two", [bps(550), bps(550), bps(600), bps(600)], null],
    ["nothing by two of four, the others silent", [bps(550), bps(550), SILENT, SILENT], null],
    [
      "nothing by two of four, another giving no list",
      [bps(550), bps(550), { list: null }, SILENT],
      null,
    ],
    ["at most the whole", [bps(65_535), bps(10_000)], "100.00"],
    ["nothing that nobody could read", [bps(null)], "nothing"],
    ["nothing that nobody lists", [lacking, lacking], "nothing"],
  ])("%s", (_, answers, expected) => {
    expect(toText(readingOf(toCheck(answers)))).toBe(expected);
    expect(toText(readingOf(toSnapshot(answers)))).toBe(expected);
  });

  it("never looks at the account", () => {
    const lie: Witness = bps(550, { accounts: { A: [9_900, null, KEY, null] } });
    expect(toText(readingOf(toCheck([lie])))).toBe("5.50");
    expect(toText(readingOf(toCheck([bps(550, { accounts: { A: null } })])))).toBe("5.50");
  });
});

describe("of a percent a panel agrees on", () => {
  it.each<[string, Witness[], string | null]>([
    ["a percent, without accounts", [percent(5), percent(5), percent(5)], "5 %"],
    ["a percent that is rounded down and up", [percent(5), percent(6), SILENT], "5 %"],
    ["nothing of percents that cannot be the same", [percent(5), percent(7)], null],
    [
      "the middle one, which alone is near all",
      [percent(5), percent(6), percent(7), SILENT],
      "6 %",
    ],
    ["the exact rate of own accounts", [backed(5, 550), backed(6, 550)], "5.50, by account"],
    ["the exact rate of the only account", [backed(5, 550)], "5.50, by account"],
    ["a list and an account", [bps(550), backed(5, 550), SILENT], "5.50, by account"],
    ["the account of one alone", [backed(5, 550), SILENT], "5.50, by account, alone"],
    ["a percent alone", [percent(5), SILENT], "5 %, alone"],
    ["a percent where one account alone is exact", [backed(5, 550), percent(5), percent(5)], "5 %"],
    ["no exact lie that percents may be", [bps(599), percent(5), percent(5)], "5 %"],
    [
      "nothing of a percent with two exact rates that it may be",
      [bps(550), bps(560), percent(5)],
      null,
    ],
    ["exact rates before percents", [percent(5), bps(550), bps(550), bps(550)], "5.50"],
    ["nothing of an exact rate a whole point off", [bps(600), percent(5)], null],
    ["nothing that contradicts its own account", [backed(5, 600)], "nothing"],
    ["nothing without the account", [backed(5, null)], "nothing"],
    ["nothing by one of two, the other contradicting itself", [bps(550), backed(5, 600)], null],
    [
      "what two of three say, one contradicting itself",
      [backed(5, 550), backed(5, 700), backed(5, 550)],
      "5.50, by account",
    ],
    [
      "nothing where two of three contradict themselves",
      [backed(5, 550), backed(5, 700), backed(5, null)],
      null,
    ],
    [
      "a percent whose account is unreadable",
      [percent(5, { accounts: { A: [null, null, null, null] } })],
      "5 %",
    ],
    [
      "a percent stored as such",
      [percent(5, { accounts: { A: [null, 5, KEY, null] } })],
      "5.00, by account",
    ],
    [
      "nothing of two where one account alone is exact",
      [percent(5, { accounts: "silent" }), backed(5, 550)],
      null,
    ],
    [
      "a percent, its account 151 slots behind the list",
      [backed(5, 900, { accountsAhead: -151 })],
      "5 %",
    ],
    [
      "an account 150 slots behind the list",
      [backed(5, 550, { accountsAhead: -150 })],
      "5.50, by account",
    ],
    [
      "an account 151 slots from the cluster, not from the list",
      [backed(5, 550, { ahead: 100, accountsAhead: 160 })],
      "5.50, by account",
    ],
  ])("%s", (_, answers, expected) => {
    expect(toText(readingOf(toCheck(answers)))).toBe(expected);
  });

  it("an account of a snapshot", () => {
    const answers = [backed(5, 550), backed(6, 550)].map(({ list, accounts }): Witness => {
      return {
        list: [{ name: "B", bps: 100 }, ...list!],
        accounts: { B: [100, null, KEY, null], ...(accounts as object) },
      };
    });
    expect(toText(readingOf(toSnapshot(answers)))).toBe("5.50, by account");
  });

  it("each vote account's own, where several have the same percent", () => {
    const list = ["A", "B"].map((name) => ({ name, percent: 5 }));
    const accounts = { A: [550, null, KEY, null], B: [560, null, KEY, null] } satisfies Record<
      string,
      AccountRow
    >;
    for (const entry of [toCheck([{ list, accounts }]), toSnapshot([{ list, accounts }])]) {
      const { byVote } = ratesOf(entry);
      expect(
        ["A", "B"].map((name) => byVote.get(keyOf(name))?.agreed?.commission.basisPoints),
      ).toEqual([550, 560]);
    }
  });

  it("what one lists that has the whole list's percents without their basis points", () => {
    const entry = toCheck(all(3, { list: [{ name: "A", bps: 550, percent: 6 }] }));
    const panel = entry.panel.map((row, witness) => ({
      ...row,
      list: row.list && { ...row.list, hasBasisPoints: witness === 0 },
    }));
    const reading = readingOf({ ...entry, panel });
    expect(reading?.answers.map(({ commission }) => commission)).toEqual([
      { basisPoints: 550, exact: true },
      { basisPoints: 600, exact: false },
      { basisPoints: 600, exact: false },
    ]);
    expect(toText(reading)).toBe("6 %");
  });

  it("its account, wherever the same origin stands in the list of endpoints", () => {
    const entry = toCheck([backed(5, 550)]);
    const accounts = entry.accounts.map((answer) => ({
      ...answer,
      endpoint: "http://witness-0.example#7",
    }));
    expect(toText(readingOf({ ...entry, accounts }))).toBe("5.50, by account");
    const others = entry.accounts.map((answer) => ({ ...answer, endpoint: endpointOf(1) }));
    expect(toText(readingOf({ ...entry, accounts: others }))).toBe("5 %");
  });

  it("the percent as exact while no account stores basis points", () => {
    const contradicted = [backed(5, 600), percent(5)];
    expect(toText(readingOf(toCheck(contradicted), true))).toBe("5.00");
    expect(toText(readingOf(toCheck([percent(5), percent(6)]), true))).toBe(null);
  });
});

describe("the slots of a rate", () => {
  it.each<[string, number[], { from: number; until: number; latest: number }]>([
    ["of one witness", [5], { from: 5, until: 5, latest: 5 }],
    ["of two", [5, 9], { from: 9, until: 5, latest: 9 }],
    ["of three", [5, 9, 7], { from: 7, until: 7, latest: 9 }],
    ["of four", [5, 9, 7, 6], { from: 6, until: 6, latest: 9 }],
  ])("%s, whether the lists are alike or not", (_, aheads, expected) => {
    const spanIn = (lists: Witness["list"][]) => {
      const { from, until, latest } = readingOf(
        toCheck(lists.map((list, at) => ({ list, ahead: aheads[at]! }))),
      )!.agreed!;
      return { from: from - SLOT, until: until - SLOT, latest: latest - SLOT };
    };
    const alike = aheads.map(() => [{ name: "A", bps: 550 }]);
    expect(spanIn(alike)).toEqual(expected);
    const apart = aheads.map((_, at) => [{ name: "A", bps: 550, delinquent: at > 0 }]);
    expect(spanIn(apart)).toEqual(expected);
  });

  it("are those of the witnesses that make it, not of others", () => {
    const rows = [bps(9_900, { ahead: -20 }), bps(550, { ahead: 3 }), bps(550, { ahead: 8 })];
    const { agreed, answers } = readingOf(toCheck(rows))!;
    expect(agreed).toMatchObject({ from: SLOT + 8, until: SLOT + 3, latest: SLOT + 8 });
    expect(answers).toEqual([
      {
        endpoint: endpointOf(0),
        commission: { basisPoints: 9_900, exact: true },
        slot: SLOT - 20,
        of: "list",
      },
      {
        endpoint: endpointOf(1),
        commission: { basisPoints: 550, exact: true },
        slot: SLOT + 3,
        of: "list",
      },
      {
        endpoint: endpointOf(2),
        commission: { basisPoints: 550, exact: true },
        slot: SLOT + 8,
        of: "list",
      },
    ]);
  });

  it("are the account's where the account makes it exact, its own of one alone", () => {
    const alone = backed(5, 550, { ahead: 4, accountsAhead: 6 });
    const at = SLOT + 6;
    expect(readingOf(toCheck([alone, SILENT]))!.agreed).toMatchObject({
      from: at,
      until: at,
      latest: at,
    });
  });
});

describe("a panel reads", () => {
  const listing = (...names: string[]): Witness => ({
    list: names.map((name, index) => ({ name, bps: index + 1 })),
  });

  it("vote accounts that the entry's own list lacks, and leaves out those of witnesses that do not count", () => {
    const three = [listing("A"), listing("A", "B"), listing("A", "B")];
    const { panel, byVote } = ratesOf(toCheck(three));
    expect(panel).toEqual([0, 1, 2].map(endpointOf));
    expect([...byVote.keys()]).toEqual(["A", "B"].map(keyOf));
    expect(byVote.get(keyOf("B"))!.agreed!.commission).toEqual({ basisPoints: 2, exact: true });
    const four = ratesOf(toCheck([...three, { ...listing("A", "B", "C"), ahead: 1_000 }]));
    expect([...four.byVote.keys()]).toEqual(["A", "B"].map(keyOf));
    expect(four.byVote.get(keyOf("B"))!.agreed).toBe(null);
  });
});

describe("two vote accounts that lists show alike are told apart", () => {
  const account = (basisPoints: number): AccountRow => [basisPoints, null, KEY, null];
  /** Both list 5 %. */
  const ofBoth = (accounts: Record<string, AccountRow>): Witness => ({
    list: [
      { name: "A", percent: 5 },
      { name: "B", percent: 5 },
    ],
    accounts,
  });
  const textsOf = (entry: CheckEntry | SnapshotEntry) => {
    const { byVote } = ratesOf(entry);
    return ["A", "B"].map((name) => toText(byVote.get(keyOf(name)) ?? null));
  };

  it("by the accounts of the second witness, where those of the first are alike", () => {
    const entry = toSnapshot([
      ofBoth({ A: account(500), B: account(500) }),
      ofBoth({ A: account(500), B: account(550) }),
    ]);
    expect(textsOf(entry)).toEqual(["5.00, by account", null]);
  });

  it("by whether the account was looked for", () => {
    const witnesses = all(2, ofBoth({ A: null }));
    expect(textsOf(checkBy(MINUTE, witnesses, { unclear: ["A"] }))).toEqual(["nothing", "5 %"]);
  });
});
