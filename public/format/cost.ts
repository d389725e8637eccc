import type { ChangeCost } from "../../generator/contract/cost.ts";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import { type Query, readWhole } from "./url.ts";
import { toCount, toPercent, toShortSol } from "./values.ts";

export const SOL_DEFAULT = 1_000;
export const SOL_MAX = 1_000_000_000;

export function readSol(query: Query): number {
  return readWhole(query["sol"], { min: 1, max: SOL_MAX, otherwise: SOL_DEFAULT });
}

/** In lamports; negative: gains. */
export function toCostOf({ per1000SolLamports }: Pick<ChangeCost, "per1000SolLamports">, sol: number): bigint {
  return (BigInt(per1000SolLamports) * BigInt(sol)) / 1_000n;
}

export function toCostOfLamports(
  { per1000SolLamports }: Pick<ChangeCost, "per1000SolLamports">,
  lamports: bigint,
): bigint {
  return (BigInt(per1000SolLamports) * lamports) / 1_000_000_000_000n;
}

export function toYearly(lamports: bigint, { basis }: ChangeCost): bigint {
  return BigInt(Math.round(Number(lamports) * basis.epochsPerYear));
}

/** "0.01232 SOL less", "1,234 SOL more", "no change" */
export function toCostText(lamports: bigint): string {
  if (lamports === 0n) return "no change";
  const sol = Math.abs(Number(lamports)) / 1e9;
  const amount = sol >= 1_000 ? Math.round(sol).toLocaleString("en") : toSignificant(sol);
  return `${amount} SOL ${lamports > 0n ? "less" : "more"}`;
}

function toSignificant(sol: number): string {
  return sol.toLocaleString("en", { maximumSignificantDigits: 4 });
}

type Priced = CommissionEvent & { cost: ChangeCost };

export function findPriced(newestFirst: readonly CommissionEvent[]): Priced | null {
  const isPriced = (event: CommissionEvent): event is Priced => event.cost !== null && event.supersededBy === null;
  return newestFirst.find(isPriced) ?? null;
}

export function toBasisText({ basis }: ChangeCost): string {
  const { epoch, inflationRate, supply, activeStake, totalActiveStake, epochsPerYear, isSettled } = basis;
  const rates = `${toPercent(basis.fromCommission)} before and ${toPercent(basis.toCommission)} after`;
  const sol = ({ lamports }: { lamports: string }) => toShortSol(lamports);
  const sentence =
    `Calculated for epoch ${epoch}: ${toPercent(inflationRate * 100)} inflation a year on ${sol(supply)} SOL, ` +
    `${toCount(Math.round(epochsPerYear * 100) / 100)} epochs a year, ${sol(activeStake)} of ${sol(totalActiveStake)} SOL of ` +
    `active stake, ${rates}, average vote credits.`;
  return isSettled ? sentence : `${sentence} These numbers may change until the epoch is settled.`;
}
