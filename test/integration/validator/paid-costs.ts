import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { Paid } from "./paid.ts";

export interface CostComparison {
  validator: string;
  epoch: number;
  /** `cost.lamportsPerEpoch` */
  told: bigint;
  /** The rate's change times all that validator and delegator were paid. */
  taken: bigint;
}

/** Compares settled costs; skips those of zero. */
export function compareCosts(
  validator: string,
  { events, paid }: { events: readonly CommissionEvent[]; paid: readonly Paid[] },
): CostComparison[] {
  return events.flatMap(({ cost }) => {
    const of = paid.find(({ epoch }) => epoch === cost?.basis.epoch);
    if (cost?.basis.isSettled !== true || of === undefined) return [];
    const { epoch, fromCommission, toCommission } = cost.basis;
    const basisPoints = BigInt(Math.round((toCommission - fromCommission) * 100));
    const told = BigInt(cost.lamportsPerEpoch);
    const taken = ((of.toValidator + of.toDelegator) * basisPoints) / 10_000n;
    return taken === 0n ? [] : [{ validator, epoch, told, taken }];
  });
}

export function toDifferencePercent({ told, taken }: CostComparison): number {
  return (Number(told - taken) / Math.abs(Number(taken))) * 100;
}

export function toCostTable(comparisons: readonly CostComparison[]): string {
  const toLine = (one: CostComparison) =>
    `${one.validator.padEnd(10)}  epoch ${one.epoch}  told ${one.told}  taken ${one.taken}  ${toDifferencePercent(one).toFixed(3)} %`;
  return comparisons.map(toLine).join("\n");
}
