import { getStake, getU16 } from "./columns.ts";
import type { Ledger } from "./ledger.ts";

/*
 * One point of an epoch: what transactions prove, else what was observed, and where nothing was, what a public history says.
 */

/** Basis points, or DISABLED in the column of MEV commissions; null: nothing known of this epoch. */
export function commissionPoint(
  ledger: Ledger,
  source: "inflation" | "mev",
  { epoch, ordinal }: { epoch: number; ordinal: number },
): number | null {
  const proved = source === "inflation" ? getU16(ledger.proved, epoch, ordinal) : null;
  return proved ?? getU16(ledger[source], epoch, ordinal) ?? getU16(ledger.history[source], epoch, ordinal);
}

/** Active stake in lamports, and the rank by it; null: nothing known of this epoch. */
export function stakePoint(
  { stakes, ranks, history }: Pick<Ledger, "stakes" | "ranks" | "history">,
  { epoch, ordinal }: { epoch: number; ordinal: number },
): { lamports: bigint; rank: number | null } | null {
  const observed = getStake(stakes, epoch, ordinal);
  if (observed !== null) return { lamports: observed, rank: getU16(ranks, epoch, ordinal) };
  const told = getStake(history.stakes, epoch, ordinal);
  return told === null ? null : { lamports: told, rank: getU16(history.ranks, epoch, ordinal) };
}

/** The epochs that were observed, or of which a public history says anything, ascending. */
export function trackedEpochs({ epochs, history }: Ledger): number[] {
  const tracked = new Set([...epochs.map(({ epoch }) => epoch), ...history.firstSlots.keys()]);
  return [...tracked].sort((a, b) => a - b);
}
