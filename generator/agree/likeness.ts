import type { CheckEntry, SnapshotEntry } from "../entries/entry.ts";
import { areAlike, type ListTotals, toTotals } from "../chain/list-totals.ts";
import { isMajority } from "./majority.ts";
import type { ListedVote, WitnessList, WitnessLists } from "./witness-lists.ts";

/**
 * Whether a list is like those of a majority. "too few": so few witnesses gave a list that no
 * majority can decide.
 */
export type Likeness = "alike" | "unlike" | "too few";

/**
 * Compares the entry's list with those of the panel. A panel of one is always alike.
 * @param own totals of the entry's list
 */
export function compareLists(
  entry: CheckEntry | SnapshotEntry,
  own: ListTotals,
  { lists, size, differs }: WitnessLists,
): Likeness {
  if (!isMajority(lists.length, size)) return "too few";
  const others = entry.votes.filter((_, index) => differs[index]);
  const alike = lists.filter((list) => areAlike(own, totalsOf(list, others, own)));
  return isMajority(alike.length, size) ? "alike" : "unlike";
}

/**
 * Computes the totals of a witness's list from those of the entry's list.
 * @param shared rows of the entry that any list lacks or has with other values
 */
function totalsOf(
  { lacks, rows }: WitnessList,
  shared: readonly ListedVote[],
  own: ListTotals,
): ListTotals {
  if (lacks.size === 0 && rows.size === 0) return own;
  const less = toTotals(shared.filter(({ vote }) => lacks.has(vote) || rows.has(vote)));
  const more = toTotals([...rows.values()]);
  return {
    rows: own.rows - less.rows + more.rows,
    stake: own.stake - less.stake + more.stake,
    unreadable: own.unreadable - less.unreadable + more.unreadable,
  };
}
