import type { PaidUnknown } from "../contract/history.ts";
import { paidAt } from "../ledger/stake/paid.ts";
import { appliedAt, type CommissionView, isPaidAt } from "./commissions.ts";
import { payingStateEpoch } from "./events/effects.ts";

/* What rewards took, measured, beside what applies by rule. Neither overrides the other. */

/** A measured commission in basis points, or why there is none. */
export type Paid = { basisPoints: number } | { basisPoints: null; unknown: PaidUnknown };

/** A commission that applied by rule, null if nothing is paid by it, and what rewards took. */
export interface PaidContradiction {
  epoch: number;
  /** At the end of this epoch stood what applied. */
  decidedIn: number | null;
  /** Basis points. */
  applied: number | null;
  /** Basis points. */
  paid: number;
}

/** The newest epoch whose rewards were read. */
interface PaidSummary {
  epoch: number;
  /** Validators whose commission follows from the rewards. */
  measured: number;
  /** Part of them whose applied commission is another. */
  contradictions: number;
}

/** What an epoch's rewards took. */
export function findPaid(
  { ledger }: Pick<CommissionView, "ledger">,
  at: { epoch: number; validatorIndex: number },
): Paid {
  const paid = paidAt(ledger, at);
  return typeof paid === "number"
    ? { basisPoints: paid }
    : { basisPoints: null, unknown: paid ?? "not_read" };
}

/** Epochs of a validator in which its rewards took another commission than the one that applied. */
export function findPaidContradictions(
  view: CommissionView,
  validatorIndex: number,
): PaidContradiction[] {
  const epochs = [...view.ledger.paid.keys()].sort((one, other) => one - other);
  return epochs.flatMap((epoch) => compare(view, { epoch, validatorIndex }) ?? []);
}

/** Summarises the newest epoch whose rewards were read; null: none was. */
export function summarisePaid(view: CommissionView): PaidSummary | null {
  const { paid, validators } = view.ledger;
  const epoch = Math.max(...paid.keys());
  if (!paid.has(epoch)) return null;
  const measured = [...validators.keys()].filter(
    (validatorIndex) => findPaid(view, { epoch, validatorIndex }).basisPoints !== null,
  );
  const contradicted = measured.filter(
    (validatorIndex) => compare(view, { epoch, validatorIndex }) !== null,
  );
  return { epoch, measured: measured.length, contradictions: contradicted.length };
}

/** null: they agree, or one of them is not known. */
function compare(
  view: CommissionView,
  at: { epoch: number; validatorIndex: number },
): PaidContradiction | null {
  const { basisPoints: paid } = findPaid(view, at);
  if (paid === null) return null;
  const { epoch } = at;
  const applied = appliedAt(view, at);
  if (applied === null && isPaidAt(view, at)) return null;
  if (applied !== null && Math.min(applied, 10_000) === paid) return null;
  return { epoch, decidedIn: payingStateEpoch(view.ledger, at), applied, paid };
}
