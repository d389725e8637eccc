import type { Stake } from "./values.ts";

const LAMPORTS_DIGITS_AFTER_POINT = 9;
const BASIS_POINTS_PER_PERCENT = 100;

/** Converts basis points to percent, not capped. */
export function toPercent(basisPoints: number): number {
  return basisPoints / BASIS_POINTS_PER_PERCENT;
}

/** Converts basis points to percent; null if MEV is disabled or the rate is not known. */
export function toPercentOrNull(basisPoints: number | "disabled" | null): number | null {
  return typeof basisPoints === "number" ? toPercent(basisPoints) : null;
}

/**
 * Converts basis points to percent, at most 100: a transaction may set any u16, and the runtime
 * pays at most 100 %.
 */
export function toCappedPercent(basisPoints: number): number {
  return Math.min(toPercent(basisPoints), 100);
}

/**
 * Returns the share of `part` in `whole` in percent, rounded half up; 0 if `whole` is 0. Neither
 * may be negative.
 */
export function toPercentOf(
  part: bigint | number,
  whole: bigint | number,
  decimals: 2 | 4 = 2,
): number {
  const isSmall = typeof part === "number" && Number.isSafeInteger(part * 100);
  return divide(isSmall ? part * 100 : BigInt(part) * 100n, whole, decimals);
}

/**
 * Divides integers and rounds half up; 0 if the divisor is 0. Neither may be negative. It
 * calculates exactly, because a double just under a half would round down.
 */
export function divide(
  dividend: bigint | number,
  divisor: bigint | number,
  decimals: 2 | 4 = 2,
): number {
  const scale = 10 ** decimals;
  if (typeof dividend === "number" && typeof divisor === "number") {
    if (divisor === 0) return 0;
    const doubled = dividend * scale * 2 + divisor;
    // Below 2^53 the quotient of two integers never rounds up to the next one. Histories need
    // millions of these, and bigint is slow.
    if (Number.isSafeInteger(doubled)) return Math.floor(doubled / (divisor * 2)) / scale;
  }
  const by = BigInt(divisor);
  if (by === 0n) return 0;
  const rounded = (BigInt(dividend) * BigInt(scale) * 2n + by) / (by * 2n);
  return Number(rounded) / scale;
}

/**
 * Converts lamports to the published form: exact lamports as text, and SOL as the nearest double.
 */
export function toStake(lamports: bigint): Stake {
  const digits = lamports.toString().padStart(LAMPORTS_DIGITS_AFTER_POINT + 1, "0");
  const point = digits.length - LAMPORTS_DIGITS_AFTER_POINT;
  // A conversion to number before the division would round twice above 2^53 lamports.
  const sol = Number(`${digits.slice(0, point)}.${digits.slice(point)}`);
  return { lamports: lamports.toString(), sol };
}

/** Returns the median; of an even number the higher of the two in the middle. null: no values. */
export function medianOf(values: readonly number[]): number | null {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;
}

/**
 * Converts to a number, at most 2^53 − 1. An endpoint's nonsense about one validator must not stop
 * the documents of all.
 */
export function toCount(value: bigint): number {
  const largest = BigInt(Number.MAX_SAFE_INTEGER);
  return Number(value < largest ? value : largest);
}
