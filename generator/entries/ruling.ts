import { z } from "zod";
import { networkSchema } from "../contract/networks.ts";
import { timeSchema } from "../contract/values.ts";
import { rawText } from "./rows.ts";

const RULING_FORMAT = 1;

/**
 * An operator's decision (`rule`). A ruling on observations changes how they are folded, so the
 * past is recomputed. A ruling on an event acts from then on: what was published is withdrawn, not
 * undone.
 */
export const rulingSchema = z.object({
  format: z.literal(RULING_FORMAT),
  network: networkSchema,
  ruledAt: timeSchema,
  /** The ruling acts after the entry of this number, in ten digits; null: before the first. */
  after: z
    .string()
    .regex(/^\d{10}$/)
    .nullable(),
  subject: z.discriminatedUnion("of", [
    /** Numbers of the first and the last observation in ten digits, both included. */
    z.object({ of: z.literal("observation"), first: z.string(), last: z.string() }),
    z.object({ of: z.literal("event"), id: rawText }),
  ]),
  verdict: z.enum(["accept", "ignore"]),
  reason: rawText,
});

/** A parsed ruling. */
export type Ruling = z.infer<typeof rulingSchema>;

/** A ruling with its name in the journal. */
export interface NamedRuling {
  /** The ruling's number in four digits, with leading zeros. */
  name: string;
  ruling: Ruling;
}
