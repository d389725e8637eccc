import { z } from "zod";
import { commissionSchema, countSchema, stakeSchema } from "./values.ts";

/** Lamports that may be less than none. */
const signedLamportsSchema = z.string().regex(/^-?\d+$/);

/** The numbers that a cost is worked out of. */
const basisSchema = z
  .object({
    epoch: countSchema.meta({
      description: "The epoch that they are of: effectiveEpoch, or while it has not come the newest known.",
    }),
    fromCommission: commissionSchema.meta({
      description:
        "Commission that rewards were paid at before, percent: not one that was taken away before it was ever paid.",
    }),
    toCommission: commissionSchema.meta({
      description: "Commission that they are paid at after, percent; fromCommission where supersededBy is not null.",
    }),
    inflationRate: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: "Part of the supply that stakers get in a year (`validator` of getInflationRate)." }),
    supply: stakeSchema.meta({ description: "All SOL that there is (`total` of getSupply)." }),
    activeStake: stakeSchema.meta({
      description: "Active stake of the validator; 0 where it is in no validator set by which the epoch is paid.",
    }),
    totalActiveStake: stakeSchema.meta({ description: "Active stake of the validator set." }),
    epochsPerYear: z
      .number()
      .positive()
      .meta({
        description:
          "A year of 365.242199 days, in epochs as the runtime counts them: by the slot time that is set (SIMD-0525), however " +
          "long slots really take.",
      }),
    isSettled: z
      .boolean()
      .meta({ description: "The epoch is effectiveEpoch, and has ended. false: the numbers may yet change." }),
  })
  .meta({
    id: "CostBasis",
    description:
      "supply × inflationRate ÷ epochsPerYear × activeStake ÷ totalActiveStake × (toCommission − fromCommission) ÷ 100 is " +
      "lamportsPerEpoch.",
  });

/** What a change of inflation commission costs, as far as it can be worked out. */
export const costSchema = z
  .object({
    lamportsPerEpoch: signedLamportsSchema.meta({
      description:
        "What all delegators of the validator together get less in an epoch, lamports. Less than 0: so much more.",
    }),
    per1000SolLamports: signedLamportsSchema.meta({ description: "The same of 1,000 SOL of active stake, lamports." }),
    bounds: z
      .object({
        leastLamportsPerEpoch: signedLamportsSchema.meta({ description: "The least, lamports." }),
        mostLamportsPerEpoch: signedLamportsSchema.meta({ description: "The most, lamports." }),
      })
      .nullable()
      .meta({
        description:
          "Between what lamportsPerEpoch may be by the stake that arrives and leaves, and by the epochs that may be the first; " +
          "null: it is settled.",
      }),
    basis: basisSchema,
  })
  .meta({
    id: "ChangeCost",
    description:
      "Rewards that a change of inflation commission takes from delegators, for average vote credits: the runtime shares " +
      "rewards by stake × credits.",
  });

export type ChangeCost = z.infer<typeof costSchema>;
