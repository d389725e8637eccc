/*
 * Stake, ranks and uptime come from one list, so it must be like those of a majority. Dead
 * accounts, delinquent without stake, pile up, and only some answers have them: they are left out.
 */

/** Of a list of vote accounts. */
export interface ListTotals {
  /** Without dead ones. */
  rows: number;
  /** Lamports. */
  stake: bigint;
  /** Vote accounts without a commission that can be read. */
  unreadable: number;
}

interface Row {
  basisPoints: number | null;
  percent: number | null;
  delinquent: boolean;
  activeStake: bigint;
}

/** In percent. */
const ALIKE_PERCENT = 2n;

export function toTotals(rows: readonly Row[]): ListTotals {
  const totals = { rows: 0, stake: 0n, unreadable: 0 };
  for (const { delinquent, activeStake, basisPoints, percent } of rows) {
    if (!delinquent || activeStake > 0n) totals.rows += 1;
    totals.stake += activeStake;
    if (basisPoints === null && percent === null) totals.unreadable += 1;
  }
  return totals;
}

/** Within 2 %, or one account. */
export function areAlike(one: ListTotals, other: ListTotals): boolean {
  return (
    areNearInRows(one.rows, other.rows) &&
    areNear(one.stake, other.stake) &&
    areNearInRows(one.unreadable, other.unreadable)
  );
}

/** In a small set one account exceeds the share. */
function areNearInRows(one: number, other: number): boolean {
  return Math.abs(one - other) <= 1 || areNear(BigInt(one), BigInt(other));
}

function areNear(one: bigint, other: bigint): boolean {
  const distance = one > other ? one - other : other - one;
  return distance * 100n <= other * ALIKE_PERCENT;
}
