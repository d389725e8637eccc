import { z } from "zod";
import { countSchema, envelopeOf, percentSchema, timeSchema } from "./values.ts";

/** Progress of the running epoch (`getEpoch`). */
export const epochSchema = z
  .object({
    epoch: countSchema.meta({ description: "Number of the running epoch." }),
    slotIndex: countSchema.meta({ description: "Slots of the epoch that have passed." }),
    slotsInEpoch: z.int().min(1).meta({ description: "Slots that the epoch has." }),
    absoluteSlot: countSchema.meta({ description: "Number of the present slot since genesis." }),
    progressPercent: percentSchema.meta({ description: "slotIndex of slotsInEpoch, percent, two decimals." }),
    epochStartedAt: timeSchema
      .nullable()
      .meta({
        description: "When the epoch began, UTC: estimated from the measured slot time; null: not measured yet.",
      }),
    epochEndsAt: timeSchema
      .nullable()
      .meta({ description: "When it will end, UTC: estimated from the measured slot time; null: not measured yet." }),
    live: z
      .boolean()
      .meta({
        description:
          "true: read from the cluster now; false: carried on from the last reading, to the epoch's end at most.",
      }),
  })
  .meta({ id: "Epoch", description: "How far the running epoch is." });

/** The document of `getEpoch`; no object of the store, the proxy makes it. */
export const epochDocumentSchema = envelopeOf(epochSchema, {});

/** One reading of the epoch with what is needed to extrapolate it. */
export const epochReadingSchema = z.object({
  epoch: countSchema,
  slotIndex: countSchema,
  slotsInEpoch: z.int().min(1),
  absoluteSlot: countSchema,
  observedAt: timeSchema,
  slotMilliseconds: z
    .number()
    .positive()
    .nullable()
    .meta({ description: "Measured between snapshots, before that by a node's own samples; null: not measured yet." }),
});

export type Epoch = z.infer<typeof epochSchema>;
export type EpochReading = z.infer<typeof epochReadingSchema>;
