import type { CheckEntry, SnapshotEntry } from "../entries/entry.ts";
import { areAlike, type ListTotals, toTotals } from "../entries/list-totals.ts";
import { majorityOf } from "./majority.ts";
import type { ListedVote, WitnessList, WitnessLists } from "./witness-lists.ts";

/** "too few": so many gave no list that no majority can show one. */
export type Likeness = "alike" | "unlike" | "too few";

/** Whether the entry's list is like those of a majority of the panel. Of a panel of one it is. */
export function compareLists(
  entry: CheckEntry | SnapshotEntry,
  { lists, size, differing }: WitnessLists,
): Likeness {
  if (lists.length < majorityOf(size)) return "too few";
  const own = toTotals(entry.votes);
  const others = entry.votes.filter(({ vote }) => differing.has(vote));
  const alike = lists.filter((list) => areAlike(own, totalsOf(list, others, own)));
  return alike.length >= majorityOf(size) ? "alike" : "unlike";
}

/** @param shared rows of the entry that any list lacks, or has otherwise */
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
