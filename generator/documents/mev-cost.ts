import type { MevChangeCost } from "../contract/mev-cost.ts";
import { toPercent, toStake } from "../contract/numbers.ts";
import type { MevCostRecord } from "../ledger/mev-costs.ts";

/** The published cost of a change of MEV commission; null: unknown. */
export function toPublishedMevCost(cost: MevCostRecord | null): MevChangeCost | null {
  if (cost === null) return null;
  return {
    lamportsPerEpoch: cost.lamportsPerEpoch.toString(),
    per1000SolLamports: cost.per1000SolLamports.toString(),
    basis: {
      epoch: cost.epoch,
      tips: toStake(cost.tips),
      activeStake: toStake(cost.activeStake),
      fromCommission: toPercent(cost.fromBasisPoints),
      toCommission: toPercent(cost.toBasisPoints),
      isSettled: cost.isSettled,
    },
  };
}
