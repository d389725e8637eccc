import { z } from "zod";
import { epochsPerYearSchema, inflationRateSchema, supplySchema } from "./issuance.ts";
import { commissionSchema, countSchema, stakeSchema } from "./values.ts";

/** An amount of lamports as decimal digits, possibly negative. */
export const signedLamportsSchema = z.string().regex(/^-?\d+$/);

const basisSchema = z
  .object({
    epoch: countSchema.meta({
      description:
        "Epoch of these numbers: effectiveEpoch, or the newest known epoch until " +
        "effectiveEpoch begins.",
    }),
    fromCommission: commissionSchema.meta({
      description:
        "Commission that rewards paid before the change, percent. It differs from the " +
        "event's fromCommission if no epoch ever paid that rate.",
    }),
    toCommission: commissionSchema.meta({
      description:
        "Commission that rewards pay after the change, percent: paidCommission, once known. It " +
        "equals fromCommission if supersededBy is not null.",
    }),
    inflationRate: inflationRateSchema,
    supply: supplySchema,
    activeStake: stakeSchema.meta({
      description:
        "Active stake of the validator; 0 if it is in none of the validator sets that decide " +
        "this epoch's rewards.",
    }),
    totalActiveStake: stakeSchema.meta({ description: "Active stake of the validator set." }),
    epochsPerYear: epochsPerYearSchema,
    voteCreditsRatio: z
      .number()
      .min(0)
      .nullable()
      .meta({
        description:
          "Vote credits that the validator earned in the epoch, divided by the average of " +
          "the validator set, weighted by stake; four decimals. 0: it earned no rewards. " +
          "null: not known, and the amounts assume the average, 1.",
      }),
    isSettled: z
      .boolean()
      .meta({
        description:
          "true: the epoch is effectiveEpoch, has ended, and its vote credits are known. " +
          "false: the numbers may still change.",
      }),
  })
  .meta({
    id: "CostBasis",
    description:
      "lamportsPerEpoch = supply × inflationRate ÷ epochsPerYear × activeStake ÷ " +
      "totalActiveStake × (toCommission − fromCommission) ÷ 100 × (voteCreditsRatio or, " +
      "while it is null, 1).",
  });

/** The `cost` of events: what a change of inflation commission costs. */
export const costSchema = z
  .object({
    lamportsPerEpoch: signedLamportsSchema.meta({
      description:
        "Lamports that all delegators of the validator together lose in an epoch. Negative: " +
        "they gain.",
    }),
    per1000SolLamports: signedLamportsSchema.meta({
      description: "Lamports that 1,000 SOL of active stake loses in an epoch. Negative: it gains.",
    }),
    bounds: z
      .object({
        leastLamportsPerEpoch: signedLamportsSchema.meta({ description: "Lower bound, lamports." }),
        mostLamportsPerEpoch: signedLamportsSchema.meta({ description: "Upper bound, lamports." }),
      })
      .nullable()
      .meta({
        description:
          "Range in which lamportsPerEpoch can still end up with average vote credits, as " +
          "stake moves and several epochs may be the first to pay. null: the cost is settled.",
      }),
    basis: basisSchema,
  })
  .meta({
    id: "ChangeCost",
    description:
      "Rewards that a change of inflation commission takes from delegators. The runtime " +
      "shares rewards by stake × vote credits; until the epoch has ended, average credits " +
      "are assumed.",
  });

/** What a change of inflation commission costs the delegators. */
export type ChangeCost = z.infer<typeof costSchema>;
