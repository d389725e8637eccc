import type { AccountRow, CheckEntry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { checkBy, snapshotBy, type Sides } from "./observations.ts";
import { keyOf, row, type Fact } from "./validators.ts";
import { all, SILENT, type Witness } from "./witnesses.ts";

/* Observations by several witnesses who list the same,
   except what is said of each: in its place in an array. */

/** A's rate: basis points, or a percent alone. */
type Rate = number | { bps: number; ahead?: number } | { percent: number; ahead?: number };

/** A in a witness's list; null: not listed; "silent": no answer; by default as in the facts. */
export type ListedRate = Rate | null | "silent" | undefined;

/** A witness's account of A; null: there is none; "silent": no answer. */
export type AccountRate = Rate | null | "silent";

export interface Panel {
  of: number;
  /** Whose list is the entry's own; by default the first that gives one. */
  by?: number;
  /** Slots that each is ahead; null: it does not answer. */
  ahead?: readonly (number | null)[];
  lists?: readonly ListedRate[];
  /**
   * Of A. In a check they are read where any is given;
   * in a snapshot all agree with the list, except these.
   */
  accounts?: readonly AccountRate[];
  /** Each witness's whole list. */
  facts?: readonly (readonly Fact[] | undefined)[];
  /** By default the true one. */
  epochs?: readonly (number | undefined)[];
  /** A's withdraw authority, by all. */
  authority?: string;
  /** A's block revenue commission, basis points; null: unreadable. By default all of it. */
  revenue?: readonly (number | null)[];
}

export function panelCheck(minute: number, facts: readonly Fact[], panel: Panel): CheckEntry {
  const { of, by, accounts = [], authority } = panel;
  const witnesses = toLists(facts, panel).map((witness, position): Witness => {
    const ofA = accounts[position];
    return ofA === undefined
      ? witness
      : { ...witness, ...toAccounts(ofA, (rate) => ({ A: toRow(rate, { authority }) })) };
  });
  return checkBy(minute, witnesses.slice(0, of), { by, unclear: accounts.length > 0 ? ["A"] : [] });
}

/** What each witness's list shows of A, beside the others. */
export function checkByLists(
  minute: number,
  lists: readonly ListedRate[],
  facts: readonly Fact[],
): CheckEntry {
  return panelCheck(minute, facts, { of: lists.length, lists });
}

export function panelSnapshot(
  minute: number,
  facts: readonly Fact[],
  panel: Panel,
  sides: Sides = {},
): SnapshotEntry {
  const { by, accounts = [], authority, revenue } = panel;
  const lists = toLists(facts, panel);
  const own = lists[by ?? lists.findIndex(({ list }) => list !== null)]?.list ?? [];
  const witnesses = lists.map((witness, position): Witness => {
    const blockRevenue = revenue === undefined ? ALL_OF_IT : (revenue[position] ?? null);
    const ofA = accounts[position];
    const toRows = (rate?: Rate | null) => {
      const rows = own.map(
        (fact) => [fact.name, toAgreeingRow(fact, { authority, blockRevenue })] as const,
      );
      const rowOfA = rate === undefined ? {} : { A: toRow(rate, { authority, blockRevenue }) };
      return { ...Object.fromEntries(rows), ...rowOfA };
    };
    return {
      ...witness,
      ...(ofA === undefined ? { accounts: toRows() } : toAccounts(ofA, toRows)),
    };
  });
  return snapshotBy(minute, witnesses, { by, ...sides });
}

function toLists(
  shared: readonly Fact[],
  { of, ahead = [], lists = [], facts = [], epochs = [] }: Panel,
): Witness[] {
  return all(of, shared).map((_, position): Witness => {
    const [listed, slots = 0] = [lists[position], ahead[position]];
    if (slots === null || listed === "silent") return SILENT;
    const epoch = epochs[position];
    return {
      list: toList(facts[position] ?? shared, listed),
      ahead: slots + aheadOf(listed),
      ...(epoch !== undefined && { epoch }),
    };
  });
}

function toList(facts: readonly Fact[], listed: Exclude<ListedRate, "silent">): readonly Fact[] {
  if (listed === undefined) return facts;
  const others = facts.filter(({ name }) => name !== "A");
  if (listed === null) return others;
  if (typeof listed === "number") return [...others, { name: "A", bps: listed }];
  return [
    ...others,
    "bps" in listed ? { name: "A", bps: listed.bps } : { name: "A", percent: listed.percent },
  ];
}

function toAccounts(
  ofA: AccountRate,
  toRows: (rate: Rate | null) => Record<string, AccountRow>,
): Pick<Witness, "accounts" | "accountsAhead"> {
  return ofA === "silent"
    ? { accounts: ofA }
    : { accounts: toRows(ofA), accountsAhead: aheadOf(ofA) };
}

const ALL_OF_IT = 10_000;

interface Stored {
  authority: string | undefined;
  blockRevenue?: number | null;
}

function toRow(rate: Rate | null, stored: Stored): AccountRow {
  if (rate === null) return null;
  const { authority = keyOf("authority of A"), blockRevenue = ALL_OF_IT } = stored;
  if (typeof rate === "number") return [rate, null, authority, blockRevenue];
  return "bps" in rate
    ? [rate.bps, null, authority, blockRevenue]
    : [null, rate.percent, authority, null];
}

/** The withdraw authority is by default a key of the account's own. */
function toAgreeingRow(fact: Fact, { authority, blockRevenue = ALL_OF_IT }: Stored): AccountRow {
  const { vote, basisPoints, percent } = row(fact);
  if (fact.name !== "A") return [basisPoints, percent, vote, ALL_OF_IT];
  return [basisPoints, percent, authority ?? vote, blockRevenue];
}

function aheadOf(rate: ListedRate): number {
  return typeof rate === "object" && rate !== null ? (rate.ahead ?? 0) : 0;
}
