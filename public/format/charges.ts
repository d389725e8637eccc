import type { CommissionEvent } from "../../generator/contract/event.ts";
import type { Validator } from "../../generator/contract/validator.ts";

type Rates = Pick<Validator, "appliedCommission" | "nextAppliedCommission">;

type InflationChange = Pick<
  CommissionEvent,
  "source" | "toCommission" | "effectiveEpoch" | "supersededBy" | "replacedBy"
>;

/** A rate of inflation commission that delegators pay. */
export interface Charge {
  percent: number;
  /** First epoch that pays it; null: the running one does. */
  fromEpoch: number | null;
}

/** What delegators pay now and in the next epoch. @param epoch the running one */
export function toNextCharges(
  { appliedCommission, nextAppliedCommission }: Rates,
  epoch: number,
): Charge[] {
  return inOrder([
    { percent: appliedCommission, fromEpoch: null },
    { percent: nextAppliedCommission, fromEpoch: epoch + 1 },
  ]);
}

/**
 * What delegators pay now, what the next epoch pays, and what a change brings after that. A rate
 * that stays is named once, and what is not known not at all.
 * @param epoch the running one
 */
export function toCharges(rates: Rates, change: InflationChange, epoch: number): Charge[] {
  const { toCommission: percent, effectiveEpoch: fromEpoch } = change;
  const soon = toNextCharges(rates, epoch);
  return isLater(change, epoch) ? inOrder([...soon, { percent, fromEpoch }]) : soon;
}

/** Whether an epoch after the next is the first that pays the change. @param epoch the running one */
export function isLater(
  { source, effectiveEpoch, supersededBy, replacedBy }: InflationChange,
  epoch: number,
): boolean {
  return (
    source === "COMMISSION" &&
    supersededBy === null &&
    replacedBy === null &&
    effectiveEpoch !== null &&
    effectiveEpoch > epoch + 1
  );
}

function inOrder(rates: readonly { percent: number | null; fromEpoch: number | null }[]): Charge[] {
  const charges: Charge[] = [];
  for (const { percent, fromEpoch } of rates)
    if (percent !== null && percent !== charges.at(-1)?.percent)
      charges.push({ percent, fromEpoch });
  return charges;
}
