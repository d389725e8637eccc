import { z } from "zod";
import { eventSchema } from "./event.ts";
import { countSchema, envelopeOf, timeSchema } from "./values.ts";

/** Changes of a full segment. All segments but the newest are full and never change again. */
export const SEGMENT_CHANGES = 500;

const CHANGE_KINDS = ["event", "correction", "withdrawal"] as const;

/** An item of `/changes`: one publication, correction or withdrawal of an event. */
export const changeSchema = z
  .object({
    seq: z
      .int()
      .min(1)
      .meta({ description: "Its number: from 1, without gaps, in the order of publication." }),
    at: timeSchema.meta({
      description: "Time of the observation or the ruling that brought it, UTC.",
    }),
    kind: z
      .enum(CHANGE_KINDS)
      .meta({
        description:
          "event: the first publication, or the first after a withdrawal. correction: any " +
          "field of the event is another. withdrawal: the event stands no more, and no other " +
          "answer has it.",
      }),
    event: eventSchema.meta({
      description: "The event as published then; of a withdrawal, as it was last published.",
    }),
  })
  .meta({ id: "Change", description: "The publication, correction or withdrawal of an event." });

/** One publication, correction or withdrawal of an event. */
export type Change = z.infer<typeof changeSchema>;

/** `meta.edition` of `/changes`: another value means that clients must begin again from 0. */
export const editionSchema = z
  .string()
  .meta({
    description:
      "Of the log. Another one means that Rugwatch computes another past, say after an " +
      "operator's ruling: forget what you have, and begin again from 0.",
  });

/** `meta.head` of `/changes`, from which clients know whether they have everything. */
export const headSchema = countSchema.meta({
  description: "Number of the newest change; 0: there is none yet.",
});

/** Returns the number of the segment that holds a change; both count from 1. */
export function toSegment(seq: number): number {
  return Math.ceil(seq / SEGMENT_CHANGES);
}

/** Answer of `/changes`. The proxy makes it of segments; no object holds it. */
export const changesDocumentSchema = envelopeOf(z.array(changeSchema), {
  edition: editionSchema,
  head: headSchema,
  next: countSchema.meta({
    description: "What to ask for next as `after`; equal to head: there is nothing newer.",
  }),
});
