import { z } from "zod";
import { commissionSchema, countSchema, pubkeySchema, timeSchema } from "./values.ts";

export const SEVERITIES = ["RUG", "CAUTION", "INFO"] as const;
export const SOURCES = ["COMMISSION", "MEV"] as const;

export const severitySchema = z.enum(SEVERITIES);
export const sourceSchema = z
  .enum(SOURCES)
  .meta({ description: "COMMISSION: inflation commission. MEV: MEV commission." });

export type Severity = z.infer<typeof severitySchema>;
export type Source = z.infer<typeof sourceSchema>;

/** One change of a commission (endpoints 3, 8, 9); `confirmed` tells whether a second reading saw it. */
export const eventSchema = z
  .object({
    id: z.string(),
    votePubkey: pubkeySchema,
    validatorName: z.string().nullable(),
    severity: severitySchema,
    source: sourceSchema,
    fromCommission: commissionSchema.nullable(),
    toCommission: commissionSchema.nullable(),
    fromDisabled: z.boolean().meta({ description: "MEV only: MEV was disabled before." }),
    toDisabled: z.boolean().meta({ description: "MEV only: MEV is now disabled." }),
    delta: z.number().min(-100).max(100).nullable().meta({ description: "Percentage points; null if a side is null." }),
    epoch: countSchema.meta({ description: "Epoch in which the change was seen." }),
    createdAt: timeSchema.nullable().meta({ description: "Time of the first observation that showed the change." }),
    slot: countSchema.meta({
      description: "Slot of the first observation that showed the change; without one, the first of the epoch.",
    }),
    previousSlot: countSchema
      .nullable()
      .meta({ description: "Slot of the last observation that showed the old value." }),
    previousSeenAt: timeSchema.nullable(),
    effectiveEpoch: countSchema.nullable().meta({ description: "First epoch whose rewards pay the new rate." }),
    confirmed: z.boolean().meta({ description: "Seen by a second reading; false for backfilled history." }),
  })
  .meta({ id: "CommissionEvent" });

export type CommissionEvent = z.infer<typeof eventSchema>;
