import { z } from "zod";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { CommissionPoint } from "../../../generator/contract/history.ts";
import { toBasisPoints } from "./published.ts";
import { waitUntil, type Ask } from "./rpc.ts";

/** Lamports. */
export interface Paid {
  epoch: number;
  toValidator: bigint;
  toDelegator: bigint;
}

const PAID_SECONDS = 90;
/** The runtime rounds both parts down. */
const ROUNDED_LAMPORTS = 2n;
const WHOLE = 10_000n;

const rewardsSchema = z
  .array(z.object({ amount: z.int().min(0).transform(BigInt) }).nullable())
  .length(2);

/** To a vote account and its only stake. */
export async function readPaid(
  ask: Ask,
  { vote, stake }: { vote: string; stake: string },
  epoch: number,
): Promise<Paid> {
  // The node refuses until all rewards are paid.
  const [toValidator, toDelegator] = await waitUntil(
    `rewards of epoch ${epoch}`,
    PAID_SECONDS,
    () =>
      ask("getInflationReward", [[vote, stake], { epoch, commitment: "finalized" }], rewardsSchema),
  );
  return { epoch, toValidator: toValidator?.amount ?? 0n, toDelegator: toDelegator?.amount ?? 0n };
}

export const isPaid = ({ toValidator, toDelegator }: Paid): boolean =>
  toValidator + toDelegator > 0n;

function paidBasisPoints({ toValidator, toDelegator }: Paid): number {
  const total = toValidator + toDelegator;
  return Number((toValidator * WHOLE * 2n + total) / (total * 2n));
}

export function isPaidBy({ toValidator, toDelegator }: Paid, basisPoints: number): boolean {
  const difference = toValidator * WHOLE - BigInt(basisPoints) * (toValidator + toDelegator);
  return (difference < 0n ? -difference : difference) <= ROUNDED_LAMPORTS * WHOLE;
}

/** What an epoch paid and what we publish, basis points; null: unknown. */
export interface Comparison {
  validator: string;
  paid: Paid;
  /** `appliedCommission` of the commission history. */
  applied: number | null;
  /** `paidCommission` of it. */
  measured: number | null;
  /** The newest change in force, by its `effectiveEpoch`. */
  inForce: number | null;
}

type Dated = Pick<
  CommissionEvent,
  "source" | "slot" | "fromCommission" | "toCommission" | "effectiveEpoch"
> & { effectiveEpochLatest?: number | null };

export function compare(
  validator: string,
  {
    paid,
    points,
    events,
  }: { paid: readonly Paid[]; points: readonly CommissionPoint[]; events: readonly Dated[] },
): Comparison[] {
  const pointOf = (epoch: number) => points.find((point) => point.epoch === epoch);
  return paid.map((one) => ({
    validator,
    paid: one,
    applied: toBasisPoints(pointOf(one.epoch)?.appliedCommission ?? null),
    measured: toBasisPoints(pointOf(one.epoch)?.paidCommission ?? null),
    inForce: toBasisPoints(findRateInForce(events, one.epoch)),
  }));
}

export function findWrong(comparisons: readonly Comparison[]): string[] {
  return comparisons
    .filter(({ paid, applied, measured, inForce }) =>
      [applied, measured, inForce].some((told) => told !== null && !isPaidBy(paid, told)),
    )
    .map(toLine);
}

export function toTable(comparisons: readonly Comparison[]): string {
  return comparisons.map(toLine).join("\n");
}

/** null: none, or one may or may not be in force. */
function findRateInForce(events: readonly Dated[], epoch: number): number | null {
  const changes = events
    .filter(({ source }) => source === "COMMISSION")
    .sort((one, other) => one.slot - other.slot)
    .map((event) => ({
      ...event,
      from: event.effectiveEpoch,
      latest: event.effectiveEpochLatest ?? event.effectiveEpoch,
    }));
  if (
    changes.some(
      ({ from, latest }) => from === null || latest === null || (from <= epoch && epoch < latest),
    )
  )
    return null;
  const newest = changes.findLast(({ latest }) => (latest ?? Infinity) <= epoch);
  return newest?.toCommission ?? changes[0]?.fromCommission ?? null;
}

function toLine({ validator, paid, applied, measured, inForce }: Comparison): string {
  const tell = (told: number | null) => (told === null ? "not told" : String(told));
  return [
    validator.padEnd(10),
    `epoch ${paid.epoch}`.padEnd(9),
    `paid ${paidBasisPoints(paid)} (${paid.toValidator} + ${paid.toDelegator} lamports)`.padEnd(48),
    `applied ${tell(applied)}`.padEnd(18),
    `measured ${tell(measured)}`.padEnd(19),
    `by events ${tell(inForce)}`,
  ].join("  ");
}
