/** Multiplies seeds and examples, by `RUGWATCH_SOAK` (1 to 1,000): 1 by default, 10 nightly. */
export const SOAK = readSoak(process.env["RUGWATCH_SOAK"] ?? "1");

/** Files never share seeds. */
export function toSeeds({ from, count }: { from: number; count: number }): {
  from: number;
  count: number;
} {
  return { from: (from - 1) * SOAK + 1, count: count * SOAK };
}

function readSoak(text: string): number {
  const factor = Number(text);
  if (Number.isInteger(factor) && 1 <= factor && factor <= 1_000) return factor;
  throw new Error(`RUGWATCH_SOAK is ${text}: it must be a whole number from 1 to 1000`);
}
