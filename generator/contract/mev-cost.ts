import { z } from "zod";
import { signedLamportsSchema } from "./cost.ts";
import { commissionSchema, countSchema, stakeSchema } from "./values.ts";

/** The highest known fee of TipRouter, in percent of the tips. */
export const MEV_FEE_MOST = 10;

const basisSchema = z
  .object({
    epoch: countSchema.meta({ description: "Epoch of these numbers: effectiveEpoch." }),
    tips: stakeSchema.meta({
      description:
        "Tips that the validator received in the epoch. Until isSettled is true, they can " +
        "only grow: what a majority of witnesses read so far.",
    }),
    activeStake: stakeSchema.meta({ description: "Active stake of the validator in the epoch." }),
    fromCommission: commissionSchema.meta({
      description: "MEV commission before the change, percent.",
    }),
    toCommission: commissionSchema.meta({
      description: "MEV commission after the change, percent.",
    }),
    isSettled: z
      .boolean()
      .meta({
        description:
          "true: the epoch has ended and its tips were counted on chain. false: the amounts " +
          "are lower bounds of what the change costs or, below 0, gives.",
      }),
    isUpperBound: z
      .boolean()
      .meta({
        description:
          `true: one of the commissions is over ${100 - MEV_FEE_MOST} %. TipRouter takes its fee before a commission, and pays no commission ` +
          "that is more than what is left. Rugwatch does not read this fee: if it meets the " +
          "commission, delegators lose or, below 0, gain less than these amounts.",
      }),
  })
  .meta({
    id: "MevCostBasis",
    description:
      "lamportsPerEpoch = tips × (toCommission − fromCommission) ÷ 100, without TipRouter's " +
      "fee; per1000SolLamports is the part of 1,000 SOL in it: 1,000 SOL ÷ activeStake.",
  });

/** The `mevCost` of events: what a change of MEV commission costs. */
export const mevCostSchema = z
  .object({
    lamportsPerEpoch: signedLamportsSchema.meta({
      description:
        "Lamports that all delegators of the validator together lose in the epoch. Negative: " +
        "they gain. Tips of later epochs differ.",
    }),
    per1000SolLamports: signedLamportsSchema.meta({
      description:
        "Lamports that 1,000 SOL of active stake loses in the epoch. Negative: it gains.",
    }),
    basis: basisSchema,
  })
  .meta({
    id: "MevChangeCost",
    description:
      "Tips that a change of MEV commission takes from delegators in the first epoch that it " +
      "applies to.",
  });

/** What a change of MEV commission costs the delegators. */
export type MevChangeCost = z.infer<typeof mevCostSchema>;
