import { DISABLED, getStake, getU16 } from "../columns.ts";
import type { Ledger } from "../ledger.ts";
import { observedRate } from "../rates/timeline.ts";
import { observedMev } from "../tips/timeline.ts";

/* Proved by transactions, else observed, else from a public history. */

/** Commission of a validator in an epoch, in basis points, or DISABLED for MEV. */
export function commissionPoint(
  ledger: Ledger,
  source: "inflation" | "mev",
  { epoch, validatorIndex }: { epoch: number; validatorIndex: number },
): number | null {
  const validator = ledger.validators[validatorIndex];
  if (validator === undefined) return null;
  const sampled = getU16(ledger.history[source], epoch, validatorIndex);
  if (source === "inflation")
    return (
      getU16(ledger.proved, epoch, validatorIndex) ?? observedRate(validator, epoch) ?? sampled
    );
  const mev = observedMev(validator, epoch);
  return mev === "disabled" ? DISABLED : (mev ?? sampled);
}

/**
 * Stake and rank in an epoch as observed, or else from a public history. null: neither is
 * known.
 */
export function stakePoint(
  { stakes, ranks, history }: Pick<Ledger, "stakes" | "ranks" | "history">,
  { epoch, validatorIndex }: { epoch: number; validatorIndex: number },
): { lamports: bigint; rank: number | null } | null {
  const observed = getStake(stakes, epoch, validatorIndex);
  if (observed !== null) return { lamports: observed, rank: getU16(ranks, epoch, validatorIndex) };
  const sampled = getStake(history.stakes, epoch, validatorIndex);
  return sampled === null
    ? null
    : { lamports: sampled, rank: getU16(history.ranks, epoch, validatorIndex) };
}
