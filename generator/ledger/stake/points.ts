import { getStake, getU16 } from "../columns.ts";
import type { Ledger } from "../ledger.ts";

/* Proved by transactions, else observed, else from a public history. */

/** Basis points, or DISABLED for MEV. */
export function commissionPoint(
  ledger: Ledger,
  source: "inflation" | "mev",
  { epoch, validatorIndex }: { epoch: number; validatorIndex: number },
): number | null {
  const proved = source === "inflation" ? getU16(ledger.proved, epoch, validatorIndex) : null;
  return (
    proved ?? getU16(ledger[source], epoch, validatorIndex) ?? getU16(ledger.history[source], epoch, validatorIndex)
  );
}

export function stakePoint(
  { stakes, ranks, history }: Pick<Ledger, "stakes" | "ranks" | "history">,
  { epoch, validatorIndex }: { epoch: number; validatorIndex: number },
): { lamports: bigint; rank: number | null } | null {
  const observed = getStake(stakes, epoch, validatorIndex);
  if (observed !== null) return { lamports: observed, rank: getU16(ranks, epoch, validatorIndex) };
  const told = getStake(history.stakes, epoch, validatorIndex);
  return told === null ? null : { lamports: told, rank: getU16(history.ranks, epoch, validatorIndex) };
}

/** Those observed, those of a public history, and those that only their tip accounts tell of. */
export function trackedEpochs({ epochs, history, mev }: Ledger): number[] {
  const tracked = new Set([...epochs.map(({ epoch }) => epoch), ...history.firstSlots.keys(), ...mev.keys()]);
  return [...tracked].sort((a, b) => a - b);
}
