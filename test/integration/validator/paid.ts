import { z } from "zod";
import { waitUntil, type Ask } from "./rpc.ts";

/** What the rewards of one epoch paid, in lamports. */
export interface Paid {
  epoch: number;
  toValidator: bigint;
  toDelegator: bigint;
}

const PAID_SECONDS = 90;
/** The runtime rounds both parts down. */
const ROUNDED_LAMPORTS = 2n;
const WHOLE = 10_000n;

const rewardsSchema = z.array(z.object({ amount: z.int().min(0).transform(BigInt) }).nullable()).length(2);

/** What an epoch paid a vote account and the only stake delegated to it; null: neither got anything. */
export async function readPaid(
  ask: Ask,
  { vote, stake }: { vote: string; stake: string },
  epoch: number,
): Promise<Paid | null> {
  // While the rewards are being paid out, and before, the node refuses to tell.
  const [toValidator, toDelegator] = await waitUntil(`rewards of epoch ${epoch}`, PAID_SECONDS, () =>
    ask("getInflationReward", [[vote, stake], { epoch, commitment: "finalized" }], rewardsSchema),
  );
  const paid = { epoch, toValidator: toValidator?.amount ?? 0n, toDelegator: toDelegator?.amount ?? 0n };
  return paid.toValidator + paid.toDelegator === 0n ? null : paid;
}

/** The validator's share in basis points, rounded. */
export function paidBasisPoints({ toValidator, toDelegator }: Paid): number {
  const total = toValidator + toDelegator;
  return Number((toValidator * WHOLE * 2n + total) / (total * 2n));
}

/** Whether the amounts are those of a rate. */
export function isPaidBy({ toValidator, toDelegator }: Paid, basisPoints: number): boolean {
  const difference = toValidator * WHOLE - BigInt(basisPoints) * (toValidator + toDelegator);
  return (difference < 0n ? -difference : difference) <= ROUNDED_LAMPORTS * WHOLE;
}
