const LAMPORTS_PER_SOL = 1_000_000_000n;

/** The steps of a short amount: from so many SOL on, in this unit. */
const UNITS = [
  { from: 1_000_000_000n, suffix: "B" },
  { from: 1_000_000n, suffix: "M" },
  { from: 10_000n, suffix: "k", per: 1_000n },
];

/**
 * An amount of stake in SOL for a narrow column: "12.3M", "45.6k", "1,234", "0.52", rounded half up. By bigint all the way:
 * amounts of lamports do not fit into a number.
 *
 * @param lamports decimal digits, as documents have them
 */
export function toShortSol(lamports: string): string {
  const amount = BigInt(lamports);
  for (const { from, suffix, per = from } of UNITS) {
    if (amount < from * LAMPORTS_PER_SOL) continue;
    return `${toDecimal(amount, per * LAMPORTS_PER_SOL, per === from ? 2 : 1)}${suffix}`;
  }
  if (amount >= 100n * LAMPORTS_PER_SOL) return toDecimal(amount, LAMPORTS_PER_SOL, 0);
  if (amount > 0n && amount < LAMPORTS_PER_SOL / 100n) return "< 0.01";
  return toDecimal(amount, LAMPORTS_PER_SOL, 2);
}

/** The same amount to the lamport, without zeros at the end: "1,234.5". */
export function toExactSol(lamports: string): string {
  return toDecimal(BigInt(lamports), LAMPORTS_PER_SOL, 9).replace(/\.?0+$/, "");
}

/** A percentage as documents have it, at most two decimals: "7.5 %"; null: "not known". */
export function toPercent(percent: number | null): string {
  return percent === null ? "not known" : `${percent.toLocaleString("en", { maximumFractionDigits: 2 })} %`;
}

/** A share for a column of shares, always two decimals: "19.50 %"; one that rounds to nothing is "< 0.01 %". */
export function toSharePercent(percent: number): string {
  return percent > 0 && percent < 0.005 ? "< 0.01 %" : `${percent.toFixed(2)} %`;
}

/** A count with its thousands set apart: "1,234". */
export function toCount(count: number): string {
  return count.toLocaleString("en");
}

/** "1 event", "12 events". */
export function toCounted(count: number, one: string, many = `${one}s`): string {
  return `${toCount(count)} ${count === 1 ? one : many}`;
}

/** amount / unit with so many decimals, half up. */
function toDecimal(amount: bigint, unit: bigint, decimals: number): string {
  const scale = 10n ** BigInt(decimals);
  const scaled = (amount * scale * 2n + unit) / (unit * 2n);
  const whole = (scaled / scale).toLocaleString("en");
  return decimals === 0 ? whole : `${whole}.${(scaled % scale).toString().padStart(decimals, "0")}`;
}
