import { z } from "zod";
import { countSchema, percentSchema, stakeSchema } from "./values.ts";

/** RUG events of one tracked epoch (`getRugsPerEpoch`): one that was observed, or of which a public history was read. */
export const rugsPerEpochSchema = z
  .object({
    epoch: countSchema.meta({ description: "Number of the epoch." }),
    uniqueValidators: countSchema.meta({ description: "Validators with a RUG in it." }),
    commissionEvents: countSchema.meta({ description: "RUG events of inflation commission." }),
    mevEvents: countSchema.meta({ description: "RUG events of MEV commission." }),
    totalEvents: countSchema.meta({ description: "Both together." }),
    unconfirmedEvents: countSchema.meta({ description: "Of totalEvents, those read from a public history." }),
    commissionValidators: countSchema.meta({ description: "Validators with a RUG of inflation commission." }),
    mevValidators: countSchema.meta({ description: "Validators with a RUG of MEV commission." }),
    bothTypes: countSchema.meta({ description: "Validators with a RUG of each source." }),
    lamportsLost: z
      .string()
      .regex(/^\d+$/)
      .nullable()
      .meta({
        description:
          "What its RUG events of inflation commission cost delegators in the first epoch that pays them, lamports: the sum of " +
          "cost.lamportsPerEpoch above 0. null: of one of them it is not known.",
      }),
  })
  .meta({ id: "RugsPerEpoch", description: "RUG events of one epoch, and the validators that they are of." });

/** All-time summary of RUG events. */
export const rugsGlobalSchema = z
  .object({
    totalRuggedValidators: countSchema.meta({ description: "Validators with a RUG in any epoch." }),
    repeatOffenders: countSchema.meta({ description: "Validators with RUG events in two or more epochs." }),
    epochsTracked: countSchema.meta({ description: "Epochs that were observed or read from a public history." }),
    peakEpoch: countSchema
      .nullable()
      .meta({ description: "Epoch with the most validators with a RUG, the newest of equals; null: no epoch yet." }),
    peakValidators: countSchema.meta({ description: "Validators with a RUG in that epoch." }),
    averagePerEpoch: z
      .number()
      .min(0)
      .meta({ description: "Validators with a RUG, mean over the tracked epochs, two decimals." }),
    commissionEvents: countSchema.meta({ description: "RUG events of inflation commission, of all time." }),
    mevEvents: countSchema.meta({ description: "RUG events of MEV commission, of all time." }),
  })
  .meta({ id: "RugsGlobal", description: "RUG events of all tracked epochs." });

export const shareSchema = z
  .object({
    name: z.string().meta({ description: "Name of the entity; of a validator without a name its vote account." }),
    validatorCount: countSchema.meta({ description: "Validators that it holds." }),
    activeStake: stakeSchema.meta({ description: "Their active stake." }),
    stakePercent: percentSchema.meta({ description: "Its share of the list's stake, percent, four decimals." }),
  })
  .meta({
    id: "Share",
    description: "What one country, data centre, city, autonomous system, validator or client holds of the stake.",
  });

/** Concentration of stake (`getStakeConcentration`). All lists are largest first. */
export const concentrationSchema = z
  .object({
    summary: z
      .object({
        uniqueCountries: countSchema.meta({ description: "Countries with active stake." }),
        uniqueDataCenters: countSchema.meta({ description: "Data centres with active stake." }),
        uniqueCities: countSchema.meta({ description: "Cities with active stake." }),
        uniqueAsns: countSchema.meta({ description: "Autonomous systems with active stake." }),
        uniqueClients: countSchema.meta({ description: "Clients with active stake." }),
        validatorCount: countSchema.meta({ description: "Validators of the set with active stake." }),
        totalStake: stakeSchema.meta({ description: "Their active stake." }),
        locatedStake: stakeSchema.meta({ description: "What of it is located." }),
        geoCoveragePercent: percentSchema.meta({ description: "Located share of the stake, percent, two decimals." }),
      })
      .meta({ description: "What the distributions are made of." }),
    nakamotoCoefficients: z
      .object({
        byCountry: countSchema.meta({ description: "Countries, largest first, that hold 33.33 % together." }),
        byDataCenter: countSchema.meta({ description: "Data centres, largest first, that hold 33.33 % together." }),
        byCity: countSchema.meta({ description: "Cities, largest first, that hold 33.33 % together." }),
        byAsn: countSchema.meta({ description: "Autonomous systems, largest first, that hold 33.33 % together." }),
        byValidator: countSchema.meta({ description: "Validators, largest first, that hold 33.33 % together." }),
        byClient: countSchema.meta({ description: "Clients, largest first, that hold 33.33 % together." }),
      })
      .meta({
        description:
          "Nakamoto coefficients: the fewest entities that reach 33.33 % of the stake of their list together.",
      }),
    byCountry: z
      .array(shareSchema)
      .meta({ description: "Countries by stake, largest first; shares of the stake in this list." }),
    byDataCenter: z
      .array(shareSchema)
      .meta({ description: "Data centres by stake, largest first; shares of the stake in this list." }),
    byCity: z
      .array(shareSchema)
      .meta({ description: "Cities by stake, largest first; shares of the stake in this list." }),
    byAsn: z
      .array(shareSchema)
      .meta({ description: "Autonomous systems by stake, largest first; shares of the stake in this list." }),
    byValidator: z
      .array(shareSchema)
      .meta({ description: "Validators by stake, largest first; shares of all active stake." }),
    byClient: z
      .array(shareSchema)
      .meta({ description: "Clients by stake, largest first; shares of all active stake." }),
  })
  .meta({ id: "StakeConcentration", description: "How the active stake is spread." });

export type RugsPerEpoch = z.infer<typeof rugsPerEpochSchema>;
export type RugsGlobal = z.infer<typeof rugsGlobalSchema>;
export type Share = z.infer<typeof shareSchema>;
export type Concentration = z.infer<typeof concentrationSchema>;
