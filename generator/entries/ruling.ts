import { z } from "zod";
import { networkSchema } from "../contract/networks.ts";
import { timeSchema } from "../contract/values.ts";
import { rawText } from "./rows.ts";

const RULING_FORMAT = 1;

/**
 * An operator's decision. On observations it acts before they are folded, so that the past
 * is another; on an event from then on, so that what was published is withdrawn, not undone.
 */
export const rulingSchema = z.object({
  format: z.literal(RULING_FORMAT),
  network: networkSchema,
  ruledAt: timeSchema,
  /** It acts after this entry; null: before the first. */
  after: z
    .string()
    .regex(/^\d{10}$/)
    .nullable(),
  subject: z.discriminatedUnion("of", [
    /** Numbers in ten digits, both included. */
    z.object({ of: z.literal("observation"), first: z.string(), last: z.string() }),
    z.object({ of: z.literal("event"), id: rawText }),
  ]),
  verdict: z.enum(["accept", "ignore"]),
  reason: rawText,
});

export type Ruling = z.infer<typeof rulingSchema>;

export interface NamedRuling {
  /** Its number in four digits. */
  name: string;
  ruling: Ruling;
}
