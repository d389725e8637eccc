/*
 * Stake, ranks and uptime come from one witness's list, so that list must be like those of a
 * majority and like the last accepted one. Dead accounts, which are delinquent and without stake,
 * are left out of the comparison: they pile up, and only some witnesses list them.
 */

/** Totals of one list of vote accounts, by which two lists are compared. */
export interface ListTotals {
  /** Number of rows, without dead accounts. */
  rows: number;
  /** Sum of active stake, in lamports; dead accounts have none. */
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
  for (const row of rows) {
    if (isLiving(row)) totals.rows += 1;
    totals.stake += row.activeStake;
    if (isUnreadable(row)) totals.unreadable += 1;
  }
  return totals;
}

/** Whether a vote account is not dead. */
export function isLiving({
  delinquent,
  activeStake,
}: Pick<Row, "delinquent" | "activeStake">): boolean {
  return !delinquent || activeStake > 0n;
}

/** Whether a row has no readable commission. */
export function isUnreadable({
  basisPoints,
  percent,
}: Pick<Row, "basisPoints" | "percent">): boolean {
  return basisPoints === null && percent === null;
}

/** Whether two lists differ by at most 2 % in each total. Counts may also differ by one account. */
export function areAlike(one: ListTotals, other: ListTotals): boolean {
  return (
    areNearInRows(one.rows, other.rows) &&
    areNear(one.stake, other.stake) &&
    areNearInRows(one.unreadable, other.unreadable)
  );
}

/**
 * Whether two counts differ by at most 2 % or by one account: in a small set, one is more than the
 * share.
 */
export function areNearInRows(one: number, other: number): boolean {
  return Math.abs(one - other) <= 1 || areNear(BigInt(one), BigInt(other));
}

/** Whether two sums of stake differ by at most 2 %. */
export function areNear(one: bigint, other: bigint): boolean {
  const distance = one > other ? one - other : other - one;
  return distance * 100n <= other * ALIKE_PERCENT;
}
