/**
 * How many times the seeds, by `RUGWATCH_SOAK` (1 to 1,000): 1 in a run of all tests, 10 in the nightly one.
 */
export const SOAK = readSoak(process.env["RUGWATCH_SOAK"] ?? "1");

/** Seeds of a file, `count` of them from `from` on, times {@link SOAK}: those of two files never meet. */
export function toSeeds({ from, count }: { from: number; count: number }): { from: number; count: number } {
  return { from: (from - 1) * SOAK + 1, count: count * SOAK };
}

function readSoak(text: string): number {
  const factor = Number(text);
  if (Number.isInteger(factor) && 1 <= factor && factor <= 1_000) return factor;
  throw new Error(`RUGWATCH_SOAK is ${text}: it must be a whole number from 1 to 1000`);
}
