import { z } from "zod";
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
    inflationRate: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({
        description:
          "Share of the supply that stakers receive in a year, from 0 to 1 (`validator` of " +
          "getInflationRate). null: not known.",
      }),
    supply: stakeSchema
      .nullable()
      .meta({ description: "Total supply of SOL (`total` of getSupply); null: not known." }),
    activeStake: stakeSchema
      .nullable()
      .meta({
        description:
          "Active stake of the validator set; where no supply is known, of all validators with " +
          "a stake history. null: not known.",
      }),
    epochsPerYear: z
      .number()
      .positive()
      .nullable()
      .meta({
        description:
          "Epochs in a year of 365.242199 days, as the runtime counts: with the configured " +
          "slot time (SIMD-0525), not the measured one. null: not known.",
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
