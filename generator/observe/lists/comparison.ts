import { isLiving } from "../../chain/list-totals.ts";
import type { SnapshotRow } from "../../entries/entry.ts";
import { CHECK_FIELDS, LISTED_FIELDS } from "../../entries/rows.ts";

/* How the rows of two lists of vote accounts are compared. */

/**
 * Whether a row counts: dead accounts, delinquent without stake, are in some answers only.
 * @param expected vote accounts whose rows count even if dead
 */
export function isCounted(row: SnapshotRow, expected: ReadonlySet<string>): boolean {
  return isLiving(row) || expected.has(row.vote);
}

/** Whether any row of a list has basis points; old nodes list whole percents only. */
export function hasBasisPointsIn(rows: readonly SnapshotRow[]): boolean {
  return rows.some(({ basisPoints }) => basisPoints !== null);
}

/**
 * Whether two rows of one vote account have the same values, credits aside.
 * @param how.isWhole whether what only snapshots compare counts too
 */
export function isAlike(
  one: SnapshotRow,
  other: SnapshotRow,
  { comparesBasisPoints, isWhole }: { comparesBasisPoints: boolean; isWhole: boolean },
): boolean {
  const fields = isWhole ? LISTED_FIELDS : CHECK_FIELDS;
  return fields.every(
    (field) => (field === "basisPoints" && !comparesBasisPoints) || one[field] === other[field],
  );
}
