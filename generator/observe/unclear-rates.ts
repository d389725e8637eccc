import { asListed } from "../entries/as-listed.ts";
import type { CheckRow, PanelRow } from "../entries/entry.ts";

/** The commission in a list's row: in basis points, only in percent, or neither. */
export type ListedRate = Pick<CheckRow, "vote" | "basisPoints" | "percent">;

/** Bounds an entry, and the calls. */
const UNCLEAR_MAX = 1_000;

/**
 * Vote accounts whose rate is unclear in any witness's list, sorted. If there are too many, those
 * that most lists leave unclear come first, so that a liar who lists thousands displaces nothing.
 * @param rows of the list that the panel's lists are compared with
 */
export function findUnclear(
  rows: readonly ListedRate[],
  panel: readonly PanelRow[],
  isClear: (row: ListedRate) => boolean,
): string[] {
  const ofBase = keysOfUnclear(rows, isClear);
  const ofPercents = keysOfUnclear(
    rows.map((row) => asListed(row, { hasBasisPoints: false })),
    isClear,
  );
  const counts = new Map<string, number>();
  for (const { list } of panel) {
    if (list === null) continue;
    const others = new Set([...list.lacks, ...list.rows.map(({ vote }) => vote)]);
    const shared = list.hasBasisPoints ? ofBase : ofPercents;
    const own = [
      ...shared.filter((vote) => !others.has(vote)),
      ...keysOfUnclear(list.rows, isClear),
    ];
    for (const vote of own) counts.set(vote, (counts.get(vote) ?? 0) + 1);
  }
  const percents = findPercents(rows, panel);
  const first = [...counts]
    .filter(([vote]) => percents.has(vote))
    .sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1))
    .slice(0, UNCLEAR_MAX);
  return first.map(([vote]) => vote).sort();
}

/**
 * Vote accounts of which some list has no basis
 * points: elsewhere an account would say nothing more.
 */
function findPercents(
  rows: readonly ListedRate[],
  panel: readonly PanelRow[],
): ReadonlySet<string> {
  const lists = panel.flatMap(({ list }) => list ?? []);
  const isOfPercents = lists.some(({ hasBasisPoints }) => !hasBasisPoints);
  const without = [...rows, ...lists.flatMap((list) => list.rows)].filter(
    ({ basisPoints }) => basisPoints === null,
  );
  return new Set([...without, ...(isOfPercents ? rows : [])].map(({ vote }) => vote));
}

function keysOfUnclear(
  rows: readonly ListedRate[],
  isClear: (row: ListedRate) => boolean,
): string[] {
  return rows.filter((row) => !isClear(row)).map(({ vote }) => vote);
}
