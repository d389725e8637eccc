import { z } from "zod";
import { countSchema, envelopeOf, percentSchema, timeSchema } from "./values.ts";

/** The data of `/epoch`. */
export const epochSchema = z
  .object({
    epoch: countSchema.meta({ description: "Number of the running epoch." }),
    slotIndex: countSchema.meta({ description: "Slots of the epoch that have passed." }),
    slotsInEpoch: z.int().min(1).meta({ description: "Slots that the epoch has." }),
    absoluteSlot: countSchema.meta({ description: "Current slot, counted from genesis." }),
    progressPercent: percentSchema.meta({
      description: "slotIndex / slotsInEpoch, percent, two decimals.",
    }),
    epochStartedAt: timeSchema
      .nullable()
      .meta({
        description:
          "Start of the epoch, UTC, estimated from the measured slot time; null: not measured yet.",
      }),
    epochEndsAt: timeSchema
      .nullable()
      .meta({
        description:
          "End of the epoch, UTC, estimated from the measured slot time; null: not measured yet.",
      }),
    live: z
      .boolean()
      .meta({
        description:
          "true: just read from the cluster. false: extrapolated from the last reading, to " +
          "the end of that epoch at most.",
      }),
  })
  .meta({ id: "Epoch", description: "Progress of the running epoch." });

/** Answer of `/epoch`. The proxy makes it; no object holds it. */
export const epochDocumentSchema = envelopeOf(epochSchema, {});

/**
 * The newest accepted epoch and slot, kept in the index. From it the proxy extrapolates while the
 * cluster does not answer.
 */
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
    .meta({
      description:
        "Measured between snapshots, or from a node's own samples until then; null: not " +
        "measured yet.",
    }),
});

/** Progress of the running epoch, as published. */
export type Epoch = z.infer<typeof epochSchema>;
/** The newest accepted epoch and slot, and the measured slot time in milliseconds. */
export type EpochReading = z.infer<typeof epochReadingSchema>;
