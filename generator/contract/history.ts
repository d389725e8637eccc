import { z } from "zod";
import { commissionSchema, countSchema, dateSchema, percentSchema, stakeSchema } from "./values.ts";

/** One epoch of a validator's commissions (endpoint 4), forward-filled. */
export const commissionPointSchema = z
  .object({
    epoch: countSchema.meta({ description: "Number of the epoch." }),
    commission: commissionSchema
      .nullable()
      .meta({ description: "Inflation commission announced at the end of the epoch, percent; null: not known." }),
    mevCommission: commissionSchema
      .nullable()
      .meta({
        description: "MEV commission at the end of the epoch, percent; null: disabled, never enabled or not known.",
      }),
    appliedCommission: commissionSchema
      .nullable()
      .meta({
        description:
          "Inflation commission that the rewards earned in this epoch pay, percent; null: not known, or nothing is paid.",
      }),
  })
  .meta({ id: "CommissionPoint", description: "The commissions of a validator in one epoch." });

/** One epoch of a validator's stake (endpoint 5), as of the first accepted observation of the epoch. */
export const stakePointSchema = z
  .object({
    epoch: countSchema.meta({ description: "Number of the epoch." }),
    activeStake: stakeSchema.meta({ description: "Active stake as of the first observation of the epoch." }),
    rank: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: "Rank by active stake at that time, from 1; null: not known." }),
  })
  .meta({ id: "StakePoint", description: "The stake of a validator in one epoch." });

/** One UTC day of a validator's checks (endpoint 6). */
export const uptimeDaySchema = z
  .object({
    date: dateSchema.meta({ description: "The day, UTC, YYYY-MM-DD." }),
    uptimeChecks: countSchema.meta({ description: "Checks of the day, at most one a minute." }),
    delinquentChecks: countSchema.meta({ description: "Of these, those that found the validator delinquent." }),
    uptimePercent: percentSchema.meta({ description: "Share of checks that did not, percent, two decimals." }),
  })
  .meta({ id: "UptimeDay", description: "The checks of a validator on one UTC day." });

export type CommissionPoint = z.infer<typeof commissionPointSchema>;
export type StakePoint = z.infer<typeof stakePointSchema>;
export type UptimeDay = z.infer<typeof uptimeDaySchema>;
