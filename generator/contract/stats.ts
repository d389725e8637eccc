import { z } from "zod";
import { countSchema, percentSchema, stakeSchema } from "./values.ts";

/** RUG events of one tracked epoch (endpoint 10): one that was observed, or of which a public history was read. */
export const rugsPerEpochSchema = z
  .object({
    epoch: countSchema,
    uniqueValidators: countSchema,
    commissionEvents: countSchema,
    mevEvents: countSchema,
    totalEvents: countSchema,
    unconfirmedEvents: countSchema.meta({ description: "Of totalEvents, those read from a public history." }),
    commissionValidators: countSchema,
    mevValidators: countSchema,
    bothTypes: countSchema.meta({ description: "Validators with a RUG of each source." }),
  })
  .meta({ id: "RugsPerEpoch" });

/** All-time summary of RUG events. */
export const rugsGlobalSchema = z
  .object({
    totalRuggedValidators: countSchema,
    repeatOffenders: countSchema.meta({ description: "Validators with RUG events in two or more epochs." }),
    epochsTracked: countSchema,
    peakEpoch: countSchema.nullable().meta({ description: "Epoch with the most validators; the newest of equals." }),
    peakValidators: countSchema,
    averagePerEpoch: z.number().min(0).meta({ description: "Validators with a RUG, mean over the tracked epochs." }),
    commissionEvents: countSchema,
    mevEvents: countSchema,
  })
  .meta({ id: "RugsGlobal" });

export const shareSchema = z
  .object({ name: z.string(), validatorCount: countSchema, activeStake: stakeSchema, stakePercent: percentSchema })
  .meta({
    id: "Share",
    description: "stakePercent has four decimals; it is of the stake of the whole list, which holds all that is known.",
  });

/** Concentration of stake (endpoint 11). All lists are largest first. */
export const concentrationSchema = z
  .object({
    summary: z.object({
      uniqueCountries: countSchema,
      uniqueDataCenters: countSchema,
      uniqueCities: countSchema,
      uniqueAsns: countSchema,
      uniqueClients: countSchema,
      validatorCount: countSchema,
      totalStake: stakeSchema,
      locatedStake: stakeSchema,
      geoCoveragePercent: percentSchema.meta({ description: "Located share of the stake." }),
    }),
    nakamotoCoefficients: z
      .object({
        byCountry: countSchema,
        byDataCenter: countSchema,
        byCity: countSchema,
        byAsn: countSchema,
        byValidator: countSchema,
        byClient: countSchema,
      })
      .meta({ description: "Entities needed to reach 33.33 % of the stake." }),
    byCountry: z.array(shareSchema),
    byDataCenter: z.array(shareSchema),
    byCity: z.array(shareSchema),
    byAsn: z.array(shareSchema),
    byValidator: z.array(shareSchema),
    byClient: z.array(shareSchema),
  })
  .meta({ id: "StakeConcentration" });

export type RugsPerEpoch = z.infer<typeof rugsPerEpochSchema>;
export type RugsGlobal = z.infer<typeof rugsGlobalSchema>;
export type Share = z.infer<typeof shareSchema>;
export type Concentration = z.infer<typeof concentrationSchema>;
