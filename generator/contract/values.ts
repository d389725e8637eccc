import { z } from "zod";
import { networkSchema } from "./networks.ts";

/** A key must also decode to exactly 32 bytes. */
export const PUBKEY_PATTERN = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

export const pubkeySchema = z
  .string()
  .regex(PUBKEY_PATTERN)
  .meta({ description: "A Base58 public key of 32 bytes." });

/** As `Date.prototype.toISOString` writes it. */
export const timeSchema = z.iso.datetime().meta({ description: "Time in UTC, ISO 8601." });

export const dateSchema = z.iso.date().meta({ description: "Day in UTC, YYYY-MM-DD." });

export const countSchema = z.int().min(0);

export const percentSchema = z.number().min(0).max(100);

/** Capped at 100 as the runtime does. */
export const commissionSchema = z.number().min(0).max(100);

export const stakeSchema = z
  .object({
    lamports: z
      .string()
      .regex(/^\d+$/)
      .meta({
        description: "Exact amount in lamports, as a string of decimal digits: it may exceed 2^53.",
      }),
    sol: z
      .number()
      .min(0)
      .meta({
        description: "The same amount in SOL, for display: lamports / 1e9, rounded to a double.",
      }),
  })
  .meta({
    id: "Stake",
    description: "An amount of stake. 1 SOL is 1,000,000,000 lamports; calculate with lamports.",
  });

export type Stake = z.infer<typeof stakeSchema>;

/** The first endpoints of distinct origin. */
export const WITNESSES_MAX = 4;

/** One of two decides while the other is silent. */
export function witnessesNeeded(count: number): number {
  return count === 2 ? 1 : Math.floor(count / 2) + 1;
}

export function envelopeOf<Data extends z.ZodType, Meta extends z.ZodRawShape>(
  data: Data,
  meta: Meta,
) {
  return z.object({
    data: data.description === undefined ? data.meta({ description: "The requested data." }) : data,
    meta: z
      .object({ network: networkSchema, ...meta })
      .meta({ description: "The network and totals of the answer. Fields may be added." }),
  });
}
