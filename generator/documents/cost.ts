import type { ChangeCost } from "../contract/cost.ts";
import type { MevChangeCost } from "../contract/mev-cost.ts";
import { toPercent, toStake } from "../contract/numbers.ts";
import { mayMeetFee, type MevCostRecord } from "../ledger/tips/mev-costs.ts";
import {
  AVERAGE_CREDITS,
  epochsPerYear,
  toYearlyRate,
  type CostRecord,
} from "../ledger/stake/staking-rewards.ts";

/** The published cost of a change; null: unknown. */
export function toPublishedCost(cost: CostRecord | null): ChangeCost | null {
  if (cost === null) return null;
  const { isSettled } = cost;
  return {
    lamportsPerEpoch: cost.lamportsPerEpoch.toString(),
    per1000SolLamports: cost.per1000SolLamports.toString(),
    bounds: isSettled
      ? null
      : {
          leastLamportsPerEpoch: cost.least.toString(),
          mostLamportsPerEpoch: cost.most.toString(),
        },
    basis: {
      epoch: cost.epoch,
      fromCommission: toPercent(cost.fromBasisPoints),
      toCommission: toPercent(cost.toBasisPoints),
      // Below 2^53, so this is the nearest double.
      inflationRate: toYearlyRate(cost.validatorRate),
      supply: toStake(cost.supply),
      activeStake: toStake(cost.activeStake),
      totalActiveStake: toStake(cost.setStake),
      epochsPerYear: epochsPerYear(cost),
      voteCreditsRatio: cost.credits === null ? null : cost.credits / AVERAGE_CREDITS,
      isSettled,
    },
  };
}

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
      isUpperBound: mayMeetFee(cost),
    },
  };
}
