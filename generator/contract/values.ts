import { z } from "zod";
import { networkSchema } from "./networks.ts";

/**
 * Base58 of 32 to 44 characters. A key must also decode to exactly 32 bytes, which no pattern can
 * check.
 */
export const PUBKEY_PATTERN = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** A month in UTC, YYYY-MM. */
export const MONTH_PATTERN = /^20\d{2}-(?:0[1-9]|1[0-2])$/;

/** A public key in entries, objects and answers. It checks only the pattern. */
export const pubkeySchema = z
  .string()
  .regex(PUBKEY_PATTERN)
  .meta({ description: "A Base58 public key of 32 bytes." });

/** A time in UTC, as `Date.prototype.toISOString` writes it. */
export const timeSchema = z.iso.datetime().meta({ description: "Time in UTC, ISO 8601." });

/** A day in UTC, YYYY-MM-DD. */
export const dateSchema = z.iso.date().meta({ description: "Day in UTC, YYYY-MM-DD." });

/** A whole number from 0 to 2^53 − 1. */
export const countSchema = z.int().min(0);

/** A share in percent, 0 to 100. */
export const percentSchema = z.number().min(0).max(100);

/** A commission in percent, 0 to 100: capped as the runtime caps it. */
export const commissionSchema = z.number().min(0).max(100);

/** An amount of SOL as published: exact lamports and rounded SOL. */
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

/** An amount of SOL as published. */
export type Stake = z.infer<typeof stakeSchema>;

const ignoredSchema = z
  .array(z.string())
  .optional()
  .meta({
    description:
      "Parameters of the request that this operation does not know and ignored, at most 10. " +
      "Absent: none, or a CDN dropped them.",
  });

/** Makes the schema of an answer, `{ data, meta }`. `meta` always has `network`. */
export function envelopeOf<Data extends z.ZodType, Meta extends z.ZodRawShape>(
  data: Data,
  meta: Meta,
) {
  return z.object({
    data: data.description === undefined ? data.meta({ description: "The requested data." }) : data,
    meta: z
      .object({ network: networkSchema, ...meta, ignored: ignoredSchema })
      .meta({ description: "The network and totals of the answer. Fields may be added." }),
  });
}
