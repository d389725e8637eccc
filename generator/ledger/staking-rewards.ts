/*
 * What the rewards of an epoch are, and what part of them a commission takes. The runtime issues
 *
 *     supply × yearly rate × epoch in years
 *
 * to stakers when an epoch has ended (Agave 4.2, `calculate_previous_epoch_inflation_rewards`), and shares it by stake ×
 * vote credits. Credits are taken to be average here, so that a validator's part is its stake of the set's. An epoch in years
 * is its slots × the slot time that features set (SIMD-0525), however long slots really took, and a year has 365.242199 days.
 */

/** What the staking rewards of one epoch are worked out of. */
export interface IssuanceRecord {
  /** Part of the supply that stakers get in a year, in trillionths. */
  validatorRate: bigint;
  /** All lamports that there are. */
  supply: bigint;
  /** Active stake of the epoch's validator set, lamports. */
  setStake: bigint;
  slotsInEpoch: number;
  slotMilliseconds: number;
  /** Rewards are then set aside at the rate of their own epoch; else paid at that of the next one. */
  isAlpenglow: boolean;
}

/** What a change of commission costs its delegators in an epoch. Lamports; less than none: they gain. */
export interface CostRecord extends Omit<IssuanceRecord, "isAlpenglow"> {
  lamportsPerEpoch: bigint;
  per1000SolLamports: bigint;
  /** The least and the most that it may be, by what is known. */
  least: bigint;
  most: bigint;
  /** Epoch that the numbers are of. */
  epoch: number;
  /** Active stake of the validator in it; 0 where it is known that the epoch pays it nothing. */
  activeStake: bigint;
  /** Basis points that were paid before, and are paid after. */
  fromBasisPoints: number;
  toBasisPoints: number;
  /** The epoch is the first that pays the new rate, and has ended: nothing can change the numbers. */
  isSettled: boolean;
}

/** What decides about the rewards of an epoch. */
export type Terms = Pick<IssuanceRecord, "validatorRate" | "supply" | "setStake" | "slotsInEpoch" | "slotMilliseconds">;

export const RATE_DIGITS = 12;
const RATE_SCALE = 10n ** BigInt(RATE_DIGITS);
const WHOLE_BASIS_POINTS = 10_000n;
/** Of 365.242199 days (`years_as_slots`); ten thousandths of a second, of which slot times are whole numbers too. */
const YEAR = 315_569_259_936n;
const PER_MILLISECOND = 10n;

/**
 * What a part of the rewards of a stake is worth, lamports, rounded once, half away from zero.
 * @param basisPoints less than 0 where the part is given back
 */
export function shareOfRewards(terms: Terms, stake: bigint, basisPoints: number): bigint {
  const epoch = BigInt(terms.slotsInEpoch) * BigInt(terms.slotMilliseconds) * PER_MILLISECOND;
  const share = terms.supply * terms.validatorRate * epoch * stake * BigInt(basisPoints);
  return divideRounded(share, RATE_SCALE * YEAR * terms.setStake * WHOLE_BASIS_POINTS);
}

/** How many of an epoch's length a year has. */
export function epochsPerYear({ slotsInEpoch, slotMilliseconds }: Terms): number {
  return Number(YEAR) / (slotsInEpoch * slotMilliseconds * Number(PER_MILLISECOND));
}

/** A rate as a node says it, in trillionths. */
export function toTrillionths(rate: number): bigint {
  return BigInt(rate.toFixed(RATE_DIGITS).replace(".", ""));
}

/** @param divisor above 0 */
function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const size = dividend < 0n ? -dividend : dividend;
  const rounded = (size * 2n + divisor) / (divisor * 2n);
  return dividend < 0n ? -rounded : rounded;
}
