import { getStake, getU16 } from "../columns.ts";
import type { Ledger } from "../ledger.ts";

/* Proved by transactions, else observed, else from a public history. */

/** Basis points, or DISABLED for MEV. */
export function commissionPoint(
  ledger: Ledger,
  source: "inflation" | "mev",
  { epoch, ordinal }: { epoch: number; ordinal: number },
): number | null {
  const proved = source === "inflation" ? getU16(ledger.proved, epoch, ordinal) : null;
  return proved ?? getU16(ledger[source], epoch, ordinal) ?? getU16(ledger.history[source], epoch, ordinal);
}

export function stakePoint(
  { stakes, ranks, history }: Pick<Ledger, "stakes" | "ranks" | "history">,
  { epoch, ordinal }: { epoch: number; ordinal: number },
): { lamports: bigint; rank: number | null } | null {
  const observed = getStake(stakes, epoch, ordinal);
  if (observed !== null) return { lamports: observed, rank: getU16(ranks, epoch, ordinal) };
  const told = getStake(history.stakes, epoch, ordinal);
  return told === null ? null : { lamports: told, rank: getU16(history.ranks, epoch, ordinal) };
}

/** Those observed, those of a public history, and those that only their tip accounts tell of. */
export function trackedEpochs({ epochs, history, mev }: Ledger): number[] {
  const tracked = new Set([...epochs.map(({ epoch }) => epoch), ...history.firstSlots.keys(), ...mev.keys()]);
  return [...tracked].sort((a, b) => a - b);
}
