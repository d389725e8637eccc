/* Rows of vote accounts as their difference from earlier ones: nearly all are the same. */

interface Row {
  vote: string;
}

/** How rows differ from earlier ones. */
export interface RowChanges<OfKind extends Row> {
  /** Rows that are new or have other values. */
  changed: OfKind[];
  /** Vote accounts of the earlier rows that are gone. */
  gone: string[];
}

/**
 * Compares rows with earlier ones.
 * @returns null: either are not in ascending order of vote accounts, in which they are restored
 */
export function compareRows<OfKind extends Row>(
  rows: readonly OfKind[],
  earlier: readonly OfKind[],
  isSame: (one: OfKind, other: OfKind) => boolean,
): RowChanges<OfKind> | null {
  if (!isAscending(earlier) || !isAscending(rows)) return null;
  const before = new Map(earlier.map((row) => [row.vote, row]));
  const changed = rows.filter((row) => {
    const other = before.get(row.vote);
    return other === undefined || !isSame(row, other);
  });
  for (const { vote } of rows) before.delete(vote);
  return { changed, gone: [...before.keys()] };
}

/**
 * Restores rows from their difference.
 * @param earlier.name the entry that holds them, for errors
 * @throws {Error} when the difference was not made from these rows
 */
export function restoreRows<OfKind extends Row>(
  { changed, gone }: RowChanges<OfKind>,
  earlier: { name: string; rows: OfKind[] },
): OfKind[] {
  const { name } = earlier;
  const isUnchanged = changed.length + gone.length === 0;
  const rows = isUnchanged ? earlier.rows : change({ changed, gone }, earlier);
  if (!isAscending(rows) || !isAscending(changed))
    throw new Error(`its rows or those of ${name} are not in order`);
  return rows;
}

function change<OfKind extends Row>(
  { changed, gone }: RowChanges<OfKind>,
  { name, rows: earlier }: { name: string; rows: readonly OfKind[] },
): OfKind[] {
  const rows = new Map(earlier.map((row) => [row.vote, row]));
  const known = rows.size;
  for (const vote of gone)
    if (!rows.delete(vote)) throw new Error(`it removes ${vote}, which ${name} does not have`);
  for (const row of changed) rows.set(row.vote, row);
  // A row set again keeps its place; a new one goes to the end.
  const isWithNew = rows.size > known - gone.length;
  return isWithNew
    ? [...rows.values()].sort((one, other) => (one.vote < other.vote ? -1 : 1))
    : [...rows.values()];
}

function isAscending(rows: readonly Row[]): boolean {
  return rows.every(({ vote }, index) => index === 0 || (rows[index - 1]?.vote ?? "") < vote);
}
