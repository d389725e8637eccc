import { z } from "zod";
import { verifiedSchema } from "./event.ts";
import { patternSchema } from "./pattern.ts";
import { commissionSchema, countSchema, percentSchema, pubkeySchema, stakeSchema, timeSchema } from "./values.ts";
import { verdictSchema } from "./verdict.ts";

export const CLIENT_TYPES = ["agave", "frankendancer", "firedancer", "unknown"] as const;

export const placeSchema = z
  .object({
    country: z.string().nullable().meta({ description: "Name of the country, in English; null: not known." }),
    countryCode: z.string().nullable().meta({ description: "The same by ISO 3166-1 alpha-2." }),
    city: z.string().nullable().meta({ description: "Name of the city, in English; null: not known." }),
    dataCenter: z
      .string()
      .nullable()
      .meta({ description: "Provider of the autonomous system the node is announced by; null: not known." }),
  })
  .meta({ id: "Place", description: "A place, by the address that a node announces." });

/** One row of the list of validators (`listValidators`). */
export const validatorSchema = z
  .object({
    votePubkey: pubkeySchema.meta({ description: "Vote account, Base58: names the validator in every other answer." }),
    identityPubkey: pubkeySchema.nullable().meta({ description: "Identity of its node, Base58; null: not known." }),
    name: z
      .string()
      .nullable()
      .meta({ description: "Name by the validator's own word: any text, never markup. null: none." }),
    iconUrl: z.string().nullable().meta({ description: "Address of its icon, https; null: none." }),
    website: z.string().nullable().meta({ description: "Address of its site, https or http; null: none." }),
    version: z.string().nullable().meta({ description: "Version of its software, from gossip; null: not known." }),
    clientType: z
      .enum(CLIENT_TYPES)
      .nullable()
      .meta({ description: "Client whose code its software carries; unknown: none of the three. null: not known." }),
    clientId: z
      .int()
      .min(0)
      .max(13)
      .nullable()
      .meta({ description: "Number of its software in the registry of gossip client ids; null: not in it." }),
    client: z.string().nullable().meta({ description: "Display name of clientId; null: not known." }),
    rank: z.int().min(1).meta({ description: "By active stake, from 1; ties by vote account." }),
    commission: commissionSchema
      .nullable()
      .meta({ description: "Inflation commission as announced now, percent, two decimals; null: not known." }),
    activeStake: stakeSchema.meta({ description: "Stake that counts in this epoch." }),
    activatingStake: stakeSchema.meta({ description: "Stake that counts from the next epoch on." }),
    deactivatingStake: stakeSchema.meta({ description: "Stake that counts for the last time in this epoch." }),
    stakePercent: percentSchema.meta({
      description: "Share of the listed validators' active stake, percent, four decimals.",
    }),
    stakeAccountCount: countSchema.meta({ description: "Stake accounts delegated to it that have not ended." }),
    delinquent: z.boolean().meta({ description: "It does not vote at present." }),
    delinquentSince: timeSchema
      .nullable()
      .meta({ description: "First check of the unbroken delinquent run, UTC; null: it votes." }),
    mevVendorEnabled: z.boolean().meta({ description: "It runs the client of the MEV vendor." }),
    batchVendorEnabled: z.boolean().meta({ description: "It runs the client of the vendor of batched blocks." }),
    firstSeenEpoch: countSchema.nullable().meta({ description: "First epoch in which it is known; null: none yet." }),
    updatedAt: timeSchema
      .nullable()
      .meta({
        description:
          "When a field other than rank, stakePercent, appliedCommission and pattern last changed, UTC; null: not known.",
      }),
    location: placeSchema.nullable().meta({ description: "Where its node is; null: not located." }),
    inValidatorSet: z.boolean().meta({ description: "The vote account is in this epoch's validator set." }),
    stakeAccountsAsOf: timeSchema
      .nullable()
      .meta({
        description:
          "When activatingStake, deactivatingStake and stakeAccountCount were read, UTC; null: never in this epoch, and they are 0.",
      }),
    appliedCommission: commissionSchema
      .nullable()
      .meta({
        description: "Inflation commission that rewards earned in the newest epoch pay, percent; null: not known.",
      }),
    pattern: patternSchema
      .nullable()
      .meta({
        description:
          "What it does again and again, while it goes on; null: nothing. The field of events is of the past too.",
      }),
  })
  .meta({ id: "Validator", description: "A validator as the list shows it." });

export type Validator = z.infer<typeof validatorSchema>;

/** What of a vote account its withdraw authority changes by a transaction, inflation commission aside. */
export const ACCOUNT_PARTS = [
  "withdrawAuthority",
  "inflationCollector",
  "blockRevenueCollector",
  "blockRevenueCommission",
] as const;

/** Most changes of an account that are shown. */
export const ACCOUNT_CHANGES_MAX = 50;

const accountChangeSchema = z
  .object({
    of: z
      .enum(ACCOUNT_PARTS)
      .meta({
        description:
          "What was changed: who may change the account, whom inflation or block revenue commission is paid to, or how much " +
          "of block revenue is taken.",
      }),
    toKey: pubkeySchema.nullable().meta({ description: "The new key, Base58; null: it is a commission." }),
    toCommission: commissionSchema.nullable().meta({ description: "The new commission, percent; null: it is a key." }),
    slot: countSchema.meta({ description: "Slot in which its transaction was executed." }),
    epoch: countSchema.meta({ description: "Epoch of that slot." }),
    blockTime: timeSchema
      .nullable()
      .meta({ description: "Time of its block by the cluster's clock, UTC; null: not known." }),
    signature: z.string().meta({ description: "Signature of its transaction, Base58: names it." }),
    signer: pubkeySchema.meta({ description: "Withdraw authority that signed it, Base58." }),
    verified: verifiedSchema,
  })
  .meta({ id: "AccountChange", description: "A change of a vote account by its withdraw authority." });

/** The profile of one validator (`getValidator`): the row of the list and what only a profile tells. */
export const profileSchema = z
  .object({
    ...validatorSchema.shape,
    mev: z
      .object({
        epoch: countSchema.meta({ description: "Epoch of the record shown." }),
        mevCommission: commissionSchema
          .nullable()
          .meta({ description: "Commission on MEV tips, percent; null: disabled, or not known." }),
        priorityFeeCommission: commissionSchema
          .nullable()
          .meta({ description: "Commission on priority fees, percent; null: not known." }),
      })
      .meta({ description: "What it takes of tips and fees." }),
    performance: z
      .object({
        epoch: countSchema.meta({ description: "Epoch that the figures are of." }),
        skipRate: percentSchema.meta({
          description: "Leader slots without a block, percent, two decimals; 0 without leader slots.",
        }),
        voteCredits: countSchema.meta({ description: "Earned in `epoch`, in the unit of voteCreditsUnit." }),
        voteCreditsUnit: z
          .enum(["credits", "lamports"])
          .meta({ description: "What the cluster counts votes in: vote credits, or lamports under Alpenglow." }),
        leaderSlots: countSchema.meta({ description: "Slots in which it was to lead, up to asOf." }),
        blocksProduced: countSchema.meta({ description: "Blocks that it made in them." }),
        asOf: timeSchema
          .nullable()
          .meta({ description: "The full hour up to which they count, UTC; null: never read." }),
      })
      .meta({ description: "How it works in the running epoch." }),
    listed: z.boolean().meta({ description: "false: the vote account has left the cluster's list." }),
    lastSeenAt: timeSchema
      .nullable()
      .meta({ description: "Last observation of a validator that left the list, UTC; null: listed." }),
    withdrawAuthority: pubkeySchema
      .nullable()
      .meta({ description: "Who may change its commission and withdraw from it, Base58; null: not known." }),
    blockRevenueCommission: commissionSchema
      .nullable()
      .meta({
        description:
          "Commission on block revenue that a transaction set last, percent; null: no such transaction is known.",
      }),
    commissionCollector: pubkeySchema
      .nullable()
      .meta({
        description:
          "Whom a transaction named last for inflation commission to be paid to, Base58; null: no such transaction is known.",
      }),
    accountChanges: z
      .array(accountChangeSchema)
      .max(ACCOUNT_CHANGES_MAX)
      .meta({
        description: "What else than its inflation commission transactions changed, newest first; the newest 50.",
      }),
    verdict: verdictSchema,
  })
  .meta({ id: "ValidatorProfile", description: "All that is known of a validator at present." });

export type Profile = z.infer<typeof profileSchema>;
