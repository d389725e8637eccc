/*
 * When an epoch ends, the runtime issues to stakers
 *
 *     supply × yearly rate × epoch in years
 *
 * (Agave 4.2, `calculate_previous_epoch_inflation_rewards`), shared by stake × vote credits.
 * Until an epoch has ended we assume average credits (credits.ts). An epoch in years is
 * slots × the slot time set by features (SIMD-0525), however long slots really took.
 */

/** What an epoch's staking rewards are computed from. */
export interface IssuanceRecord {
  /** Stakers' share of the supply in a year, in trillionths. */
  validatorRate: bigint;
  /** Total, lamports. */
  supply: bigint;
  /** Of the epoch's validator set, lamports. */
  setStake: bigint;
  slotsInEpoch: number;
  slotMilliseconds: number;
  /**
   * Under Alpenglow rewards are set aside at their
   * own epoch's rate; before, paid at the next one's.
   */
  isAlpenglow: boolean;
}

/** Lamports an epoch; negative: delegators gain. */
export interface CostRecord extends Omit<IssuanceRecord, "isAlpenglow"> {
  lamportsPerEpoch: bigint;
  per1000SolLamports: bigint;
  least: bigint;
  most: bigint;
  epoch: number;
  /** 0: the epoch pays it nothing. */
  activeStake: bigint;
  fromBasisPoints: number;
  toBasisPoints: number;
  /**
   * Its vote credits in ten-thousandths of the average; null: not known, so the average is assumed.
   */
  credits: number | null;
  /** The first epoch that pays the new rate has ended: the numbers are final. */
  isSettled: boolean;
}

/** The numbers of the rewards' formula above. */
export type Terms = Pick<
  IssuanceRecord,
  "validatorRate" | "supply" | "setStake" | "slotsInEpoch" | "slotMilliseconds"
>;

/** Decimals of a yearly rate that is kept as an integer: trillionths. */
const RATE_DIGITS = 12;
/** Vote credits are kept in ten-thousandths of the average. */
export const AVERAGE_CREDITS = 10_000;
const RATE_SCALE = 10n ** BigInt(RATE_DIGITS);
const WHOLE_BASIS_POINTS = 10_000n;
/** 365.242199 days (`years_as_slots`) in tenths of a millisecond. */
const YEAR = 315_569_259_936n;
const PER_MILLISECOND = 10n;

interface Share {
  /** Lamports. */
  stake: bigint;
  /** Negative: the change gives rewards back to delegators. */
  basisPoints: number;
  /** Vote credits, ten-thousandths of the average. */
  credits: number;
}

/** Lamports of an epoch's rewards that a share gets. Rounded once, half away from zero. */
export function shareOfRewards(terms: Terms, { stake, basisPoints, credits }: Share): bigint {
  const epoch = BigInt(terms.slotsInEpoch) * BigInt(terms.slotMilliseconds) * PER_MILLISECOND;
  const share =
    terms.supply * terms.validatorRate * epoch * stake * BigInt(basisPoints) * BigInt(credits);
  return divideRounded(
    share,
    RATE_SCALE * YEAR * terms.setStake * WHOLE_BASIS_POINTS * BigInt(AVERAGE_CREDITS),
  );
}

/** Epochs in a year of 365.242199 days, as a fraction. */
export function epochsPerYear({ slotsInEpoch, slotMilliseconds }: Terms): number {
  return Number(YEAR) / (slotsInEpoch * slotMilliseconds * Number(PER_MILLISECOND));
}

/** A yearly rate (0.05 for 5 %) in trillionths, rounded. */
export function toTrillionths(rate: number): bigint {
  return BigInt(rate.toFixed(RATE_DIGITS).replace(".", ""));
}

/** A yearly rate as a share, 0.05 for 5 %. */
export function toYearlyRate(trillionths: bigint): number {
  return Number(trillionths) / 10 ** RATE_DIGITS;
}

/** Half away from zero. @param divisor above 0 */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const size = dividend < 0n ? -dividend : dividend;
  const rounded = (size * 2n + divisor) / (divisor * 2n);
  return dividend < 0n ? -rounded : rounded;
}
