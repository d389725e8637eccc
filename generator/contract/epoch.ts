import { z } from "zod";
import { envelopeOf } from "./envelope.ts";
import { countSchema, percentSchema, timeSchema } from "./values.ts";

/** Progress of the running epoch (endpoint 12). */
export const epochSchema = z
  .object({
    epoch: countSchema,
    slotIndex: countSchema,
    slotsInEpoch: z.int().min(1),
    absoluteSlot: countSchema,
    progressPercent: percentSchema,
    epochStartedAt: timeSchema
      .nullable()
      .meta({ description: "Estimated from the measured slot time; null: not measured yet." }),
    epochEndsAt: timeSchema
      .nullable()
      .meta({ description: "Estimated from the measured slot time; null: not measured yet." }),
    live: z
      .boolean()
      .meta({ description: "true: read from the cluster now; false: extrapolated from the last snapshot." }),
  })
  .meta({ id: "Epoch" });

/** The document of endpoint 12; no object of the store, the proxy makes it. */
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
