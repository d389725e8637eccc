import { z } from "zod";
import { countSchema, percentSchema, pubkeySchema, stakeSchema } from "./values.ts";
import { verdictLevelSchema } from "./verdict.ts";

/** An item of `/stats/rugs-per-epoch`. */
export const rugsPerEpochSchema = z
  .object({
    epoch: countSchema.meta({ description: "Number of the epoch." }),
    uniqueValidators: countSchema.meta({ description: "Validators with a RUG in the epoch." }),
    commissionEvents: countSchema.meta({ description: "RUG events of inflation commission." }),
    mevEvents: countSchema.meta({ description: "RUG events of MEV commission." }),
    totalEvents: countSchema.meta({ description: "commissionEvents + mevEvents." }),
    unconfirmedEvents: countSchema.meta({
      description: "Part of totalEvents that comes from public history alone.",
    }),
    commissionValidators: countSchema.meta({
      description: "Validators with a RUG of inflation commission.",
    }),
    mevValidators: countSchema.meta({ description: "Validators with a RUG of MEV commission." }),
    bothTypes: countSchema.meta({
      description: "Validators with a RUG of both inflation and MEV commission.",
    }),
    lamportsLost: z
      .string()
      .regex(/^\d+$/)
      .nullable()
      .meta({
        description:
          "What this epoch's RUG events of inflation commission cost delegators in the first " +
          "epoch that pays them, lamports: the sum of every cost.lamportsPerEpoch above 0. " +
          "null: one of these costs is not known.",
      }),
  })
  .meta({
    id: "RugsPerEpoch",
    description: "RUG events of one epoch, and how many validators they concern.",
  });

/** `meta.global` of `/stats/rugs-per-epoch`: totals of all tracked epochs. */
export const rugsGlobalSchema = z
  .object({
    totalRuggedValidators: countSchema.meta({ description: "Validators with a RUG in any epoch." }),
    repeatOffenders: countSchema.meta({
      description: "Validators with RUG events in two or more epochs.",
    }),
    epochsTracked: countSchema.meta({
      description: "Epochs that Rugwatch observed or read from public history.",
    }),
    peakEpoch: countSchema
      .nullable()
      .meta({
        description:
          "Epoch with the most validators that rugged, the newest if several tie; null: no " +
          "epoch yet.",
      }),
    peakValidators: countSchema.meta({ description: "Validators with a RUG in that epoch." }),
    averagePerEpoch: z
      .number()
      .min(0)
      .meta({
        description: "Mean number of validators with a RUG over the tracked epochs, two decimals.",
      }),
    commissionEvents: countSchema.meta({
      description: "RUG events of inflation commission, of all time.",
    }),
    mevEvents: countSchema.meta({ description: "RUG events of MEV commission, of all time." }),
  })
  .meta({ id: "RugsGlobal", description: "RUG events of all tracked epochs." });

const shareSchema = z
  .object({
    name: z
      .string()
      .meta({
        description: "Name of the entity; for a validator without a name, its vote account.",
      }),
    validatorCount: countSchema.meta({ description: "Validators of this entity." }),
    activeStake: stakeSchema.meta({ description: "Their active stake." }),
    stakePercent: percentSchema.meta({
      description:
        "Share of `locatedStake`; of a validator or client, of `totalStake`. Percent, four " +
        "decimals.",
    }),
  })
  .meta({
    id: "Share",
    description:
      "The stake of one country, data center, city, autonomous system, validator or client.",
  });

const validatorShareSchema = shareSchema
  .extend({
    votePubkey: pubkeySchema.meta({ description: "Vote account of the validator." }),
    verdict: verdictLevelSchema.meta({ description: "Level of its verdict." }),
  })
  .meta({ id: "ValidatorShare", description: "The stake of one validator." });

/** The data of `/stats/stake-concentration`. */
export const concentrationSchema = z
  .object({
    summary: z
      .object({
        uniqueCountries: countSchema.meta({ description: "Countries with active stake." }),
        uniqueDataCenters: countSchema.meta({ description: "Data centers with active stake." }),
        uniqueCities: countSchema.meta({ description: "Cities with active stake." }),
        uniqueAsns: countSchema.meta({ description: "Autonomous systems with active stake." }),
        uniqueClients: countSchema.meta({ description: "Clients with active stake." }),
        validatorCount: countSchema.meta({
          description: "Validators of the set with active stake.",
        }),
        totalStake: stakeSchema.meta({ description: "Their active stake." }),
        locatedStake: stakeSchema.meta({
          description: "Part of totalStake with a known location.",
        }),
        geoCoveragePercent: percentSchema.meta({
          description: "locatedStake / totalStake, percent, two decimals.",
        }),
      })
      .meta({ description: "What the distributions count." }),
    nakamotoCoefficients: z
      .object({
        byCountry: countSchema.meta({
          description: "Fewest countries that together hold 33.33 % of the stake.",
        }),
        byDataCenter: countSchema.meta({
          description: "Fewest data centers that together hold 33.33 % of the stake.",
        }),
        byCity: countSchema.meta({
          description: "Fewest cities that together hold 33.33 % of the stake.",
        }),
        byAsn: countSchema.meta({
          description: "Fewest autonomous systems that together hold 33.33 % of the stake.",
        }),
        byValidator: countSchema.meta({
          description: "Fewest validators that together hold 33.33 % of the stake.",
        }),
        byClient: countSchema.meta({
          description: "Fewest clients that together hold 33.33 % of the stake.",
        }),
      })
      .meta({
        description:
          "Nakamoto coefficients: the fewest entities that together reach 33.33 % of the " +
          "stake of their list.",
      }),
    byCountry: z
      .array(shareSchema)
      .meta({
        description: "Countries by stake, largest first. Shares are of the stake in this list.",
      }),
    byDataCenter: z
      .array(shareSchema)
      .meta({
        description: "Data centers by stake, largest first. Shares are of the stake in this list.",
      }),
    byCity: z
      .array(shareSchema)
      .meta({
        description: "Cities by stake, largest first. Shares are of the stake in this list.",
      }),
    byAsn: z
      .array(shareSchema)
      .meta({
        description:
          "Autonomous systems by stake, largest first. Shares are of the stake in this list.",
      }),
    byValidator: z
      .array(validatorShareSchema)
      .meta({
        description: "Validators by stake, largest first. Shares are of `summary.totalStake`.",
      }),
    byClient: z
      .array(shareSchema)
      .meta({
        description: "Clients by stake, largest first. Shares are of `summary.totalStake`.",
      }),
  })
  .meta({ id: "StakeConcentration", description: "How active stake is distributed." });

/** The RUG events of one epoch in numbers. */
export type RugsPerEpoch = z.infer<typeof rugsPerEpochSchema>;
/** The RUG events of all tracked epochs in numbers. */
export type RugsGlobal = z.infer<typeof rugsGlobalSchema>;
/** The stake of one entity of a distribution. */
export type Share = z.infer<typeof shareSchema>;
/** How active stake is distributed. */
export type Concentration = z.infer<typeof concentrationSchema>;
