import { toPercent } from "../contract/numbers.ts";
import { CAUTION_POINTS } from "../contract/severity.ts";
import { RECENT_EPOCHS } from "../contract/verdict.ts";
import { blockRevenueSteps, type BlockRevenueStep } from "../ledger/rates/block-revenue-steps.ts";
import type { ValidatorRecord } from "../ledger/records.ts";

/** A step with a known value before it, in basis points. */
export type BlockRevenueRise = BlockRevenueStep & { from: number };

/** Rises of the commission on block revenue by 10 percentage points or more, newest first. */
export function toBlockRevenueRises(record: ValidatorRecord): BlockRevenueRise[] {
  return blockRevenueSteps(record).filter(isLargeRise).reverse();
}

/**
 * A sentence on its newest large rise of the recent epochs; null: none.
 * @param epoch the newest
 */
export function toBlockRevenueReason(record: ValidatorRecord, epoch: number): string | null {
  const rise = toBlockRevenueRises(record).find((one) => one.epoch > epoch - RECENT_EPOCHS);
  if (rise === undefined) return null;
  const now = record.blockRevenueBasisPoints;
  const isBack = now !== null && now <= rise.from;
  return `It ${toWhat(rise)} in epoch ${rise.epoch}${isBack ? `; it is ${toPercent(now)} % now` : ""}.`;
}

/** What the validator did, as a predicate for sentences. */
export function toWhat({ from, to }: BlockRevenueRise): string {
  return `raised its block revenue commission from ${toPercent(from)} % to ${toPercent(to)} %`;
}

function isLargeRise(step: BlockRevenueStep): step is BlockRevenueRise {
  return step.from !== null && step.to - step.from >= 100 * CAUTION_POINTS.COMMISSION;
}
