import type { Validator } from "../../generator/contract/validator.ts";
import { CAUTION_POINTS, RUG_PERCENT } from "../../generator/contract/severity.ts";

type Rates = Pick<
  Validator,
  "commission" | "appliedCommission" | "nextAppliedCommission" | "appliedCommissions"
>;

/** What a delegator can still avoid by leaving. */
export interface Task {
  /** First epoch that a delegator who leaves in time does not pay. */
  fromEpoch: number;
  /** Percent that this epoch pays. */
  rate: number;
  /** Percent that was paid before the rise; null: it takes as much since its record began. */
  before: number | null;
  /** Whether this epoch pays it already. */
  isPaid: boolean;
  /** The stake must be deactivated before this epoch ends. */
  deadline: number;
}

/**
 * The next rise of inflation commission by {@link CAUTION_POINTS} or more, or rate of a RUG, that
 * leaving avoids; null: none. A rate set in this epoch is charged two epochs later, and the newest
 * paid rate is that of this epoch.
 * @param epoch the running one
 */
export function findTask(rates: Rates, epoch: number): Task | null {
  const { appliedCommission: paid, commission } = rates;
  const next = rates.nextAppliedCommission ?? paid;
  const ahead = [
    { fromEpoch: epoch + 1, rate: next },
    { fromEpoch: epoch + 2, rate: commission ?? next },
  ];
  const bases = toBases([...rates.appliedCommissions, ...ahead.map(({ rate }) => rate)]).slice(-2);
  for (const [at, { fromEpoch, rate }] of ahead.entries()) {
    if (rate === null) continue;
    const before = bases[at] ?? null;
    const isRise = before !== null && rate - before >= CAUTION_POINTS.COMMISSION;
    if (!isRise && rate < RUG_PERCENT) continue;
    const isPaid = fromEpoch === epoch + 1 && paid === rate;
    return { fromEpoch, rate, before, isPaid, deadline: toDeadline(fromEpoch, epoch) };
  }
  return null;
}

/**
 * The epoch before whose end stake must be deactivated so that it pays nothing at the rate of
 * `fromEpoch`: it earns, and pays, until the epoch of its deactivation ends.
 * @param epoch the running one: nobody can leave earlier
 */
export function toDeadline(fromEpoch: number, epoch: number): number {
  return Math.max(epoch, fromEpoch - 1);
}

/**
 * Percentage points that each epoch paid above what was paid before the rise; 0: no rise was in
 * force, or it is not known.
 * @param paid percent by epoch, oldest first
 */
export function toExcess(paid: readonly (number | null)[]): number[] {
  const bases = toBases(paid);
  return paid.map((rate, at) => {
    const base = bases[at] ?? null;
    return rate === null || base === null ? 0 : Math.max(0, rate - base);
  });
}

/** What was paid before the rise that is in force in each epoch; null: none is. */
function toBases(paid: readonly (number | null)[]): (number | null)[] {
  let base: number | null = null;
  let last: number | null = null;
  return paid.map((rate) => {
    if (rate === null) return base;
    if (base === null && last !== null && rate > last) base = last;
    if (base !== null && rate <= base) base = null;
    last = rate;
    return base;
  });
}
