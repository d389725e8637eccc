import { z } from "zod";
import { placeSchema } from "./validator.ts";
import {
  commissionSchema,
  countSchema,
  dateSchema,
  percentSchema,
  stakeSchema,
  timeSchema,
} from "./values.ts";

const PAID_UNKNOWN = ["no_rewards", "no_account", "too_small", "not_read"] as const;

/** Why it is not known which commission an epoch's rewards took. */
export type PaidUnknown = (typeof PAID_UNKNOWN)[number];

/** A point of a validator's commission history: one an epoch, forward-filled, oldest first. */
export const commissionPointSchema = z
  .object({
    epoch: countSchema.meta({ description: "Number of the epoch." }),
    commission: commissionSchema
      .nullable()
      .meta({
        description:
          "Inflation commission announced at the end of the epoch, percent; null: not known.",
      }),
    mevCommission: commissionSchema
      .nullable()
      .meta({
        description:
          "MEV commission at the end of the epoch, percent; null: disabled, never enabled or " +
          "not known.",
      }),
    appliedCommission: commissionSchema
      .nullable()
      .meta({
        description:
          "Inflation commission that rewards earned in this epoch pay, percent. null: no " +
          "rewards are paid (`paid`), or it is not known which epoch's end decides it or what " +
          "stood then, because nobody watched or searched that end.",
      }),
    paid: z
      .boolean()
      .meta({
        description:
          "false: no rewards are paid, because the validator is in no validator set that " +
          "pays this epoch. true as long as the sets are not known.",
      }),
    paidCommission: commissionSchema
      .nullable()
      .meta({
        description:
          "Commission that this epoch's rewards took, percent, measured on up to two of its " +
          "largest stake accounts. null: see paidCommissionUnknown.",
      }),
    paidCommissionUnknown: z
      .enum(PAID_UNKNOWN)
      .nullable()
      .meta({
        description:
          "no_rewards: no vote credits, or an account that began in the epoch and paid nothing. " +
          "no_account: no stake was active all epoch. too_small: rewards under 0.001 SOL. " +
          "not_read: not paid yet, not read, or disputed. null: known.",
      }),
    blockRevenueCommission: commissionSchema
      .nullable()
      .meta({
        description:
          "Commission on block revenue, as last read by the end of the epoch, percent; null: " +
          "not known, or the account has none.",
      }),
  })
  .meta({ id: "CommissionPoint", description: "The commissions of a validator in one epoch." });

/** A point of a validator's stake history: one an epoch, oldest first. */
export const stakePointSchema = z
  .object({
    epoch: countSchema.meta({ description: "Number of the epoch." }),
    activeStake: stakeSchema.meta({
      description: "Active stake at the first observation of the epoch.",
    }),
    rank: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: "Rank by active stake at that time, from 1; null: not known." }),
  })
  .meta({ id: "StakePoint", description: "The stake of a validator in one epoch." });

/** A day of a validator's uptime, oldest first. */
export const uptimeDaySchema = z
  .object({
    date: dateSchema.meta({ description: "The day, UTC, YYYY-MM-DD." }),
    uptimeChecks: countSchema.meta({ description: "Checks of the day, at most one a minute." }),
    delinquentChecks: countSchema.meta({
      description: "Checks that found the validator delinquent.",
    }),
    uptimePercent: percentSchema.meta({
      description: "Share of checks that found it voting, percent, two decimals.",
    }),
  })
  .meta({ id: "UptimeDay", description: "The checks of a validator on one UTC day." });

/** Most changes of a location that are published: the newest. */
export const LOCATION_CHANGES_MAX = 50;

const locationChangeSchema = z
  .object({
    dataCenter: z
      .string()
      .nullable()
      .meta({ description: "Data center it moved to; null: not known." }),
    city: z.string().nullable().meta({ description: "City it moved to; null: not known." }),
    previousDataCenter: z
      .string()
      .nullable()
      .meta({ description: "Data center it left; null: not known." }),
    previousCity: z.string().nullable().meta({ description: "City it left; null: not known." }),
    detectedAt: timeSchema.meta({
      description: "Time of the first observation at the new place, UTC.",
    }),
  })
  .meta({
    id: "LocationChange",
    description: "One move of a node to another data center or city.",
  });

/** Where a validator's node is and was. */
export const locationSchema = z
  .object({
    current: z
      .object({
        ...placeSchema.shape,
        asn: countSchema
          .nullable()
          .meta({ description: "Number of the autonomous system; null: not known." }),
        asnOrganization: z
          .string()
          .nullable()
          .meta({
            description:
              "Organization that the autonomous system is registered to; null: not known.",
          }),
      })
      .meta({ description: "Current location of the node." }),
    changes: z
      .array(locationChangeSchema)
      .max(LOCATION_CHANGES_MAX)
      .meta({
        description:
          "The latest moves, newest first. The first place it was seen at is not a move.",
      }),
  })
  .meta({
    id: "Location",
    description: "Where a validator's node is and was, by the IP address it announces in gossip.",
  });

/** The commissions of a validator in one epoch, in percent. */
export type CommissionPoint = z.infer<typeof commissionPointSchema>;
/** Stake and rank of a validator in one epoch. */
export type StakePoint = z.infer<typeof stakePointSchema>;
/** The checks of a validator on one UTC day. */
export type UptimeDay = z.infer<typeof uptimeDaySchema>;
/** Where a validator's node is and was. */
export type Location = z.infer<typeof locationSchema>;
/** One move of a node to another data center or city. */
export type LocationChange = z.infer<typeof locationChangeSchema>;
