import type { RugsPerEpoch } from "../../../generator/contract/stats.ts";

type Row = Pick<RugsPerEpoch, "epoch" | "commissionEvents" | "mevEvents">;

/** Columns of a stacked chart: epochs, inflation and MEV together, and inflation alone, which is drawn before the sum. */
export function toBars(rows: readonly Row[]): [epochs: number[], both: number[], inflation: number[]] {
  return [
    rows.map(({ epoch }) => epoch),
    rows.map(({ commissionEvents, mevEvents }) => commissionEvents + mevEvents),
    rows.map(({ commissionEvents }) => commissionEvents),
  ];
}
