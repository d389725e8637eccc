import { z } from "zod";
import { commissionSchema, countSchema, percentSchema, pubkeySchema, stakeSchema, timeSchema } from "./values.ts";

export const CLIENT_TYPES = ["agave", "frankendancer", "firedancer", "unknown"] as const;

export const placeSchema = z
  .object({
    country: z.string().nullable(),
    countryCode: z.string().nullable().meta({ description: "ISO 3166-1 alpha-2." }),
    city: z.string().nullable(),
    dataCenter: z
      .string()
      .nullable()
      .meta({ description: "Provider of the autonomous system the node is announced by." }),
  })
  .meta({ id: "Place" });

/** One row of the list of validators (endpoint 1). */
export const validatorSchema = z
  .object({
    votePubkey: pubkeySchema,
    identityPubkey: pubkeySchema.nullable(),
    name: z.string().nullable(),
    iconUrl: z.string().nullable(),
    website: z.string().nullable(),
    version: z.string().nullable(),
    clientType: z.enum(CLIENT_TYPES).nullable().meta({ description: "Family of the client software." }),
    clientId: z.int().min(0).max(13).nullable().meta({ description: "Number in the registry of gossip client ids." }),
    client: z.string().nullable().meta({ description: "Display name of clientId." }),
    rank: z.int().min(1).meta({ description: "By active stake, from 1; ties by vote account." }),
    commission: commissionSchema
      .nullable()
      .meta({ description: "Inflation commission as announced now; null: not known." }),
    activeStake: stakeSchema,
    activatingStake: stakeSchema,
    deactivatingStake: stakeSchema,
    stakePercent: percentSchema.meta({ description: "Share of the listed validators' active stake, four decimals." }),
    stakeAccountCount: countSchema,
    delinquent: z.boolean(),
    delinquentSince: timeSchema.nullable().meta({ description: "First check of the unbroken delinquent run." }),
    mevVendorEnabled: z.boolean(),
    batchVendorEnabled: z.boolean(),
    firstSeenEpoch: countSchema.nullable(),
    updatedAt: timeSchema
      .nullable()
      .meta({ description: "When a field other than rank and stakePercent last changed." }),
    location: placeSchema.nullable(),
    inValidatorSet: z.boolean().meta({ description: "The vote account is in this epoch's validator set." }),
    stakeAccountsAsOf: timeSchema
      .nullable()
      .meta({
        description: "When activating, deactivating and stakeAccountCount were read; null: never in this epoch.",
      }),
  })
  .meta({ id: "Validator" });

export type Validator = z.infer<typeof validatorSchema>;

/** The profile of one validator (endpoint 2): the row of the list and what only a profile tells. */
export const profileSchema = z
  .object({
    ...validatorSchema.shape,
    mev: z.object({
      epoch: countSchema.meta({ description: "Epoch of the record shown." }),
      mevCommission: commissionSchema.nullable().meta({ description: "null: disabled, or not known." }),
      priorityFeeCommission: commissionSchema.nullable(),
    }),
    performance: z.object({
      epoch: countSchema,
      skipRate: percentSchema.meta({
        description: "Percent of the leader slots without a block; 0 without leader slots.",
      }),
      voteCredits: countSchema.meta({ description: "Earned in `epoch`, in the unit of voteCreditsUnit." }),
      voteCreditsUnit: z.enum(["credits", "lamports"]),
      leaderSlots: countSchema,
      blocksProduced: countSchema,
      asOf: timeSchema.nullable(),
    }),
    appliedCommission: commissionSchema
      .nullable()
      .meta({ description: "The commission that rewards earned in the newest epoch pay; null: not known." }),
    listed: z.boolean().meta({ description: "false: the vote account has left the cluster's list." }),
    lastSeenAt: timeSchema.nullable().meta({ description: "Of a validator that left the list; null while listed." }),
  })
  .meta({ id: "ValidatorProfile" });

export type Profile = z.infer<typeof profileSchema>;
