/*
 * Stake, ranks and uptime come from one witness's list, so that list must be like those of a
 * majority. Dead accounts, which are delinquent and without stake, are left out of the comparison:
 * they pile up, and only some witnesses list them.
 */

/** Totals of one list of vote accounts, by which two lists are compared. */
export interface ListTotals {
  /** Number of rows, without dead accounts. */
  rows: number;
  /** Sum of active stake, in lamports. */
  stake: bigint;
  /** Number of vote accounts without a readable commission. */
  unreadable: number;
}

interface Row {
  basisPoints: number | null;
  percent: number | null;
  delinquent: boolean;
  activeStake: bigint;
}

const ALIKE_PERCENT = 2n;

/** Sums up a list. Rows that are delinquent and have no stake do not count as rows. */
export function toTotals(rows: readonly Row[]): ListTotals {
  const totals = { rows: 0, stake: 0n, unreadable: 0 };
  for (const { delinquent, activeStake, basisPoints, percent } of rows) {
    if (!delinquent || activeStake > 0n) totals.rows += 1;
    totals.stake += activeStake;
    if (basisPoints === null && percent === null) totals.unreadable += 1;
  }
  return totals;
}

/** Whether two lists differ by at most 2 % in each total. Counts may also differ by one account. */
export function areAlike(one: ListTotals, other: ListTotals): boolean {
  return (
    areNearInRows(one.rows, other.rows) &&
    areNear(one.stake, other.stake) &&
    areNearInRows(one.unreadable, other.unreadable)
  );
}

/** One account is always allowed: in a small set it is more than the allowed share. */
function areNearInRows(one: number, other: number): boolean {
  return Math.abs(one - other) <= 1 || areNear(BigInt(one), BigInt(other));
}

function areNear(one: bigint, other: bigint): boolean {
  const distance = one > other ? one - other : other - one;
  return distance * 100n <= other * ALIKE_PERCENT;
}
