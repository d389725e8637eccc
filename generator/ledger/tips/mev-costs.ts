import { MEV_FEE_MOST } from "../../contract/mev-cost.ts";
import { divideRounded } from "../stake/staking-rewards.ts";

/*
 * What a MEV commission costs delegators. After an epoch, TipRouter counts the tips in a tip
 * account and takes its fee f first. The validator gets its commission of all tips, but no more
 * than 1 − f of them, and its delegators get the rest by active stake. So delegators lose tips ×
 * (min(to, 1 − f) − min(from, 1 − f)). No source that we read has f, so we leave it out; where a
 * commission may exceed 1 − f, the published cost is an upper bound.
 */

/**
 * Tips of a validator in an epoch, in lamports. Before they are settled, a lower bound: tips only
 * grow.
 */
export interface TipAmount {
  lamports: bigint;
  /** The merkle root is set, so no tips will be added. */
  isSettled: boolean;
}

/** What a MEV change costs delegators in its epoch, lamports; negative: they gain. */
export interface MevCostRecord {
  lamportsPerEpoch: bigint;
  per1000SolLamports: bigint;
  epoch: number;
  tips: bigint;
  /** The validator's active stake in the epoch, in lamports; above 0. */
  activeStake: bigint;
  fromBasisPoints: number;
  toBasisPoints: number;
  isSettled: boolean;
}

const WHOLE_BASIS_POINTS = 10_000n;
/** 1,000 SOL in lamports: the stake that a published cost is for. */
export const SAMPLE_STAKE = 1_000_000_000_000n;

/** Whether TipRouter's fee may leave less than one of the commissions. */
export function mayMeetFee({ fromBasisPoints, toBasisPoints }: MevCostRecord): boolean {
  return Math.max(fromBasisPoints, toBasisPoints) > Number(WHOLE_BASIS_POINTS) - 100 * MEV_FEE_MOST;
}

/**
 * The cost of a change in lamports, each amount rounded once, half away from zero.
 * @param of.from basis points, as `to`
 * @param of.activeStake lamports, above 0
 */
export function toMevCost(
  { lamports: tips, isSettled }: TipAmount,
  {
    from,
    to,
    epoch,
    activeStake,
  }: { from: number; to: number; epoch: number; activeStake: bigint },
): MevCostRecord {
  const share = tips * BigInt(to - from);
  return {
    lamportsPerEpoch: divideRounded(share, WHOLE_BASIS_POINTS),
    per1000SolLamports: divideRounded(share * SAMPLE_STAKE, WHOLE_BASIS_POINTS * activeStake),
    epoch,
    tips,
    activeStake,
    fromBasisPoints: from,
    toBasisPoints: to,
    isSettled,
  };
}
