import { z } from "zod";
import { commissionSchema, countSchema, dateSchema, percentSchema, stakeSchema } from "./values.ts";

/** One epoch of a validator's commissions (endpoint 4), forward-filled. */
export const commissionPointSchema = z
  .object({
    epoch: countSchema,
    commission: commissionSchema.nullable().meta({ description: "Announced at the end of the epoch." }),
    mevCommission: commissionSchema.nullable().meta({ description: "null: disabled or never enabled." }),
    appliedCommission: commissionSchema.nullable().meta({ description: "What the rewards earned in this epoch paid." }),
  })
  .meta({ id: "CommissionPoint" });

/** One epoch of a validator's stake (endpoint 5), as of the first accepted observation of the epoch. */
export const stakePointSchema = z
  .object({ epoch: countSchema, activeStake: stakeSchema, rank: z.int().min(1).nullable() })
  .meta({ id: "StakePoint" });

/** One UTC day of a validator's checks (endpoint 6). */
export const uptimeDaySchema = z
  .object({ date: dateSchema, uptimeChecks: countSchema, delinquentChecks: countSchema, uptimePercent: percentSchema })
  .meta({ id: "UptimeDay" });

export type CommissionPoint = z.infer<typeof commissionPointSchema>;
export type StakePoint = z.infer<typeof stakePointSchema>;
export type UptimeDay = z.infer<typeof uptimeDaySchema>;
