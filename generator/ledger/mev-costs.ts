import { divideRounded } from "./staking-rewards.ts";

/*
 * Tips and a MEV commission's part of them. After an epoch, the vendor counts the tips in a tip account, gives the
 * validator its commission of all of them, and shares the rest among its delegators by active stake. So points of
 * commission cost delegators these points of the tips, whatever fees of the vendor also come out of the rest.
 */

/** Tips of a validator in an epoch, lamports. Not settled: the least that it received, as they only grow. */
export interface TipAmount {
  lamports: bigint;
  /** The merkle root is set: these are all. */
  isSettled: boolean;
}

/** What a MEV change costs delegators in its epoch, lamports; negative: they gain. */
export interface MevCostRecord {
  lamportsPerEpoch: bigint;
  per1000SolLamports: bigint;
  epoch: number;
  tips: bigint;
  /** The validator's in the epoch, lamports; above 0. */
  activeStake: bigint;
  fromBasisPoints: number;
  toBasisPoints: number;
  isSettled: boolean;
}

const WHOLE_BASIS_POINTS = 10_000n;
/** 1,000 SOL in lamports: the stake that a published cost is told for. */
export const SAMPLE_STAKE = 1_000_000_000_000n;

/** Each amount is rounded once, half away from zero. @param activeStake above 0 */
export function toMevCost(
  { lamports: tips, isSettled }: TipAmount,
  { from, to, epoch, activeStake }: { from: number; to: number; epoch: number; activeStake: bigint },
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
