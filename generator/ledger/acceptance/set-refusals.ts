import type { CheckRow } from "../../entries/entry.ts";
import {
  areNear,
  areNearInRows,
  isLiving,
  isUnreadable,
  type ListTotals,
} from "../../chain/list-totals.ts";
import type { Observation, Refusal } from "./acceptance-record.ts";
import type { Ledger } from "../ledger.ts";
import { findValidator } from "../step.ts";

/** In percent of the reference. */
const SET_LEAST_PERCENT = 80n;
const SET_MOST_PERCENT = 125n;
/** If more are unreadable, the source lost the field. */
const UNREADABLE_MOST_PERCENT = 5;

/**
 * Refuses an empty vote list, and one whose rows or stake differ too much from the last
 * accepted list. Null: it passes. An empty list is never accepted.
 */
export function refuseSet(
  ledger: Ledger,
  entry: Observation,
  { rows, stake }: ListTotals,
): Refusal | null {
  if (entry.votes.length === 0) return { reason: "no vote account at all", isLike: null };
  const reason = describeSet(ledger, { rows, stake });
  if (reason === null) return null;
  return {
    reason,
    isLike: (streak) => areNearInRows(rows, streak.rows) && areNear(stake, streak.stake),
  };
}

/**
 * Refuses a list in which too many rates became unreadable: the source lost the field. Null: it
 * passes.
 */
export function refuseCommissions(
  ledger: Ledger,
  entry: Observation,
  totals: ListTotals,
): Refusal | null {
  const { known, unreadable } = countCommissions(ledger, entry, totals);
  if (unreadable * 100 <= known * UNREADABLE_MOST_PERCENT) return null;
  return {
    reason: `the commission of ${unreadable} of ${known} vote accounts that had one is unreadable`,
    isLike: (streak) => areNearInRows(unreadable, streak.unreadable),
  };
}

/**
 * Of living accounts that had a commission in the last accepted list: how many there are, and
 * how many have lost it. While none has, all accounts are counted.
 */
export function countCommissions(
  ledger: Ledger,
  { votes }: Observation,
  totals: ListTotals,
): { known: number; unreadable: number } {
  const before = ledger.acceptance.reference?.unreadable;
  if (totals.unreadable === 0) return { known: votes.length, unreadable: 0 };
  const hasRate = ({ vote }: CheckRow) =>
    (findValidator(ledger, vote)?.validator.rates.runs.length ?? 0) > 0;
  const known = votes.filter(
    (row) => isLiving(row) && hasRate(row) && before?.has(row.vote) !== true,
  );
  return { known: known.length, unreadable: known.filter(isUnreadable).length };
}

function describeSet(
  ledger: Ledger,
  { rows, stake }: { rows: number; stake: bigint },
): string | null {
  const { reference } = ledger.acceptance;
  if (reference === null) return null;
  if (BigInt(rows) * 100n < BigInt(reference.rows) * SET_LEAST_PERCENT)
    return `${rows} vote accounts are under ${SET_LEAST_PERCENT} % of the ${reference.rows} before`;
  // Or a list with accounts that are made up would make all others too short. Those
  // that were seen may come back, and in a small set one more exceeds the share.
  const before = Math.max(reference.rows, countSettled(ledger));
  if (rows > before + 1 && BigInt(rows) * 100n > BigInt(before) * SET_MOST_PERCENT)
    return `${rows} vote accounts are over ${SET_MOST_PERCENT} % of the ${before} before`;
  if (stake * 100n < reference.stake * SET_LEAST_PERCENT)
    return `${stake} lamports of stake are under ${SET_LEAST_PERCENT} % of the ${reference.stake} before`;
  if (stake * 100n > reference.stake * SET_MOST_PERCENT && reference.stake > 0n)
    return `${stake} lamports of stake are over ${SET_MOST_PERCENT} % of the ${reference.stake} before`;
  return null;
}

/** Validators that a majority confirmed; a single witness could list any number. */
function countSettled({ validators }: Ledger): number {
  return validators.filter(
    (validator) => validator.listed && validator.rates.isAgreed && isLiving(validator),
  ).length;
}
