import type { ChangeCost } from "../../generator/contract/cost.ts";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import type { CommissionPoint } from "../../generator/contract/history.ts";
import type { MevChangeCost } from "../../generator/contract/mev-cost.ts";
import { type Query, readWhole } from "./url.ts";
import { NO_BREAK, NOT_KNOWN, toCount, toPercent, toShortSol } from "./values.ts";

export const SOL_DEFAULT = 1_000;
/** Amounts that are offered, in whole SOL. */
export const USUAL_SOL = [100, 500, SOL_DEFAULT, 10_000] as const;
export const SOL_MAX = 1_000_000_000;

export function readSol(query: Query): number {
  return readWhole(query["sol"], { min: 1, max: SOL_MAX, otherwise: SOL_DEFAULT });
}

/** In lamports; negative: gains. */
export function toCostOf(
  { per1000SolLamports }: Pick<ChangeCost, "per1000SolLamports">,
  sol: number,
): bigint {
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

/** "0.01232 SOL less", "1,234 SOL more", each on one line, or "no change" */
export function toCostText(lamports: bigint): string {
  if (lamports === 0n) return "no change";
  return `${toAmountText(lamports)}${NO_BREAK}${lamports > 0n ? "less" : "more"}`;
}

/** "0.01232 SOL", "1,234 SOL"; of what is negative too, without a sign */
export function toAmountText(lamports: bigint): string {
  const sol = Math.abs(Number(lamports)) / 1e9;
  const amount = sol >= 1_000 ? Math.round(sol).toLocaleString("en") : toSignificant(sol);
  return `${amount}${NO_BREAK}SOL`;
}

function toSignificant(sol: number): string {
  return sol.toLocaleString("en", { maximumSignificantDigits: 4 });
}

type Priced = CommissionEvent & { cost: ChangeCost };

export function findPriced(newestFirst: readonly CommissionEvent[]): Priced | null {
  return newestFirst.find(isPriced) ?? null;
}

/** Whether the cost of an inflation change is known, and an epoch reads what it set. */
export function isPriced(event: CommissionEvent): event is Priced {
  return event.cost !== null && event.supersededBy === null;
}

export interface Loss {
  /** What all epochs together took. */
  lamports: bigint;
  epochs: number;
  firstEpoch: number;
  lastEpoch: number;
  /** Rises that were paid, and whose cost is not known. */
  unpriced: number;
  /** What all epochs until each took, in lamports: of every point from the first asked for. */
  until: { epoch: number; lamports: bigint }[];
}

type Paid = Pick<CommissionPoint, "epoch" | "appliedCommission">;

/**
 * What the rises of inflation commission took from a stake, in each epoch that paid more than
 * before the first of them, priced at the cost of the newest. null: no epoch paid a rise.
 * @param points oldest first
 * @param sol whole SOL
 * @param since first epoch that counts
 */
export function toLoss(
  events: readonly CommissionEvent[],
  points: readonly Paid[],
  sol: number,
  since = 0,
): Loss | null {
  const rises = new Map(events.flatMap((event) => toRise(event, points) ?? []));
  const costly: number[] = [];
  const until: Loss["until"] = [];
  let per1000 = 0n;
  /** What was paid before; null: no rise is in force. */
  let before: number | null = null;
  let newest: CommissionEvent | null = null;
  for (const { epoch, appliedCommission: rate } of points) {
    newest = rises.get(epoch) ?? newest;
    if (rises.has(epoch)) before = Math.min(before ?? Infinity, newest?.fromCommission ?? Infinity);
    if (rate !== null && before !== null && rate <= before) before = null;
    if (epoch < since) continue;
    if (rate !== null && before !== null && newest?.cost != null) {
      per1000 += toPer1000(newest.cost, rate - before);
      costly.push(epoch);
    }
    until.push({ epoch, lamports: (per1000 * BigInt(sol)) / 1_000n });
  }
  if (costly.length === 0) return null;
  return {
    lamports: (per1000 * BigInt(sol)) / 1_000n,
    epochs: costly.length,
    firstEpoch: costly[0] ?? 0,
    lastEpoch: costly.at(-1) ?? 0,
    unpriced: [...rises].filter(([epoch, { cost }]) => epoch >= since && cost === null).length,
    until,
  };
}

/** A rise that was paid, by the first epoch that did; null: a fall, or it was not paid. */
function toRise(
  event: CommissionEvent,
  points: readonly Paid[],
): [[epoch: number, event: CommissionEvent]] | null {
  const { source, delta, supersededBy, replacedBy, toCommission } = event;
  const { effectiveEpoch: first, effectiveEpochLatest: latest } = event;
  const isInForce = source === "COMMISSION" && supersededBy === null && replacedBy === null;
  if (!isInForce || delta === null || delta <= 0 || first === null || latest === null) return null;
  const point = points.find(
    ({ epoch, appliedCommission }) =>
      epoch >= first && epoch <= latest && appliedCommission === toCommission,
  );
  return point === undefined ? null : [[point.epoch, event]];
}

/** Lamports that so many percentage points take from 1,000 SOL in an epoch. */
function toPer1000({ per1000SolLamports, basis }: ChangeCost, percentagePoints: number): bigint {
  const rise = toBasisPoints(basis.toCommission - basis.fromCommission);
  if (rise === 0n) return 0n;
  return (BigInt(per1000SolLamports) * toBasisPoints(percentagePoints)) / rise;
}

function toBasisPoints(percent: number): bigint {
  return BigInt(Math.round(percent * 100));
}

/**
 * Rewards of an epoch on each lamport of active stake, before any commission, with average vote
 * credits. null: no change has a known cost, which would tell.
 */
export function toYield(newestFirst: readonly CommissionEvent[]): number | null {
  const basis = newestFirst.find(({ cost }) => cost !== null)?.cost?.basis;
  if (basis === undefined) return null;
  const { supply, inflationRate, epochsPerYear, totalActiveStake } = basis;
  const staked = Number(totalActiveStake.lamports);
  return staked === 0 ? null : (Number(supply.lamports) * inflationRate) / epochsPerYear / staked;
}

/**
 * "With 500 SOL you lose 0.1039 SOL an epoch.": what a change of the paid rate is to a stake.
 * @param rates percent
 * @param perLamport as {@link toYield} gives it
 */
export function toNextText(
  { from, to }: { from: number; to: number },
  sol: number,
  perLamport: number,
): string {
  const lost = (sol * perLamport * (to - from)) / 100;
  const amount = `${toSignificant(Math.abs(lost))}${NO_BREAK}SOL`;
  return `With ${toCount(sol)}${NO_BREAK}SOL you ${lost > 0 ? "lose" : "gain"} ${amount} an epoch.`;
}

type MevPriced = CommissionEvent & { mevCost: MevChangeCost };

/** The newest change of MEV commission whose cost is known; null: none. */
export function findMevPriced(newestFirst: readonly CommissionEvent[]): MevPriced | null {
  const isPriced = (event: CommissionEvent): event is MevPriced => (event.mevCost ?? null) !== null;
  return newestFirst.find(isPriced) ?? null;
}

/**
 * "at least 0.01232 SOL less": tips not counted yet only
 * grow. "at most": a fee may come before the commission.
 */
export function toMevCostText(
  lamports: bigint,
  { basis: { isSettled, isUpperBound } }: MevChangeCost,
): string {
  const text = toCostText(lamports);
  if (lamports === 0n) return text;
  if (isUpperBound) return isSettled ? `at most ${text}` : `so far at most ${text}`;
  return isSettled ? text : `at least ${text}`;
}

export function toMevBasisText({ basis }: MevChangeCost): string {
  const { epoch, tips, activeStake, isSettled } = basis;
  const rates = `${toPercent(basis.fromCommission)} before and ${toPercent(basis.toCommission)} after`;
  const sentence =
    `Calculated for epoch ${epoch}: ${toShortSol(tips.lamports)} SOL of tips, ${toShortSol(activeStake.lamports)} SOL of ` +
    `active stake, ${rates}. Each epoch has other tips.`;
  const fee = basis.isUpperBound
    ? " TipRouter's fee, which we do not read, comes before a commission this high."
    : "";
  return sentence + fee + (isSettled ? "" : " The tips of this one are not all counted yet.");
}

/** Why the cost of a change is unknown; null: nothing is known of it. */
export function toUnpricedText({
  source,
  fromDisabled,
  toDisabled,
  effectiveEpoch,
}: CommissionEvent): string | null {
  if (source !== "MEV") return null;
  if (fromDisabled || toDisabled) return "while MEV is disabled, delegators get no tips";
  return `nobody has read the tips of epoch ${effectiveEpoch ?? NOT_KNOWN}`;
}

export function toBasisText({ basis }: ChangeCost): string {
  const { epoch, inflationRate, supply, activeStake, totalActiveStake, epochsPerYear, isSettled } =
    basis;
  const rates = `${toPercent(basis.fromCommission)} before and ${toPercent(basis.toCommission)} after`;
  const sol = ({ lamports }: { lamports: string }) => toShortSol(lamports);
  const sentence =
    `Calculated for epoch ${epoch}: ${toPercent(inflationRate * 100)} inflation a year on ${sol(supply)} SOL, ` +
    `${toCount(Math.round(epochsPerYear * 100) / 100)} epochs a year, ${sol(activeStake)} of ${sol(totalActiveStake)} SOL of ` +
    `active stake, ${rates}, ${toCreditsText(basis)}.`;
  return isSettled ? sentence : `${sentence} These numbers may change until the epoch is settled.`;
}

function toCreditsText({ voteCreditsRatio }: ChangeCost["basis"]): string {
  if (voteCreditsRatio === null) return "average vote credits";
  if (voteCreditsRatio === 0) return "no vote credits, so no rewards";
  return `vote credits at ${toPercent(Math.round(voteCreditsRatio * 10_000) / 100)} of the average`;
}
