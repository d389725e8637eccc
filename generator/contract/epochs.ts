import { z } from "zod";
import { epochsPerYearSchema, inflationRateSchema, supplySchema } from "./issuance.ts";
import { countSchema, stakeSchema, timeSchema } from "./values.ts";

/** An item of `/epochs`. */
export const epochRowSchema = z
  .object({
    epoch: countSchema.meta({ description: "Number of the epoch." }),
    firstSlot: countSchema.meta({ description: "Its first slot, counted from genesis." }),
    lastSlot: countSchema.meta({ description: "Its last slot." }),
    startedAt: timeSchema
      .nullable()
      .meta({
        description:
          "Time of its first slot, UTC, to the second: between the observations before and " +
          "after it. null: they are over an hour apart, or there is none before.",
      }),
    endedAt: timeSchema
      .nullable()
      .meta({
        description:
          "Time of the next epoch's first slot, in the same way. null: it runs, or not known.",
      }),
    inflationRate: orNotKnown(inflationRateSchema),
    supply: orNotKnown(supplySchema),
    activeStake: stakeSchema
      .nullable()
      .meta({
        description:
          "Active stake of the validator set; where no supply is known, of all validators with " +
          "a stake history. null: not known.",
      }),
    epochsPerYear: orNotKnown(epochsPerYearSchema),
    nakamotoCoefficient: countSchema
      .nullable()
      .meta({
        description:
          "Nakamoto coefficient by validator: the fewest that together hold 33.33 % of the stakes " +
          "that the stake histories have of this epoch. null: they have none.",
      }),
  })
  .meta({
    id: "EpochRow",
    description:
      "An epoch. Its stakers receive supply × inflationRate / epochsPerYear of the epoch after " +
      "it, which pays them; under Alpenglow, of the epoch itself.",
  });

/** An item of `/epochs`. */
export type EpochRow = z.infer<typeof epochRowSchema>;

function orNotKnown<Known extends z.ZodType>(schema: Known) {
  const { description = "" } = schema;
  return schema.nullable().meta({ description: `${description} null: not known.` });
}
