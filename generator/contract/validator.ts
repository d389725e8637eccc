import { z } from "zod";
import { VERIFIED, VERIFIED_BY } from "./event.ts";
import { patternSchema } from "./pattern.ts";
import {
  commissionSchema,
  countSchema,
  percentSchema,
  pubkeySchema,
  stakeSchema,
  timeSchema,
} from "./values.ts";
import { verdictLevelSchema, verdictReasonSchema, verdictSchema } from "./verdict.ts";

/** Families of clients; `unknown`: none of the three. */
export const CLIENT_TYPES = ["agave", "frankendancer", "firedancer", "unknown"] as const;

/** The place of a node, from its IP address in gossip. */
export const placeSchema = z
  .object({
    country: z
      .string()
      .nullable()
      .meta({ description: "Name of the country, in English; null: not known." }),
    countryCode: z
      .string()
      .nullable()
      .meta({ description: "Country code, ISO 3166-1 alpha-2; null: not known." }),
    city: z
      .string()
      .nullable()
      .meta({ description: "Name of the city, in English; null: not known." }),
    dataCenter: z
      .string()
      .nullable()
      .meta({ description: "Provider of the node's autonomous system; null: not known." }),
  })
  .meta({ id: "Place", description: "A place, by the IP address that a node announces." });

/** Epochs of paid commissions that an item of the list has. */
export const LISTED_EPOCHS = 30;

/** An item of `/validators`. */
export const validatorSchema = z
  .object({
    votePubkey: pubkeySchema.meta({
      description: "Vote account, Base58: identifies the validator in every answer.",
    }),
    identityPubkey: pubkeySchema
      .nullable()
      .meta({ description: "Identity of its node, Base58; null: not known." }),
    name: z
      .string()
      .nullable()
      .meta({
        description: "Name that the validator gives itself: any text, never markup. null: none.",
      }),
    iconUrl: z.string().nullable().meta({ description: "URL of its icon, https; null: none." }),
    website: z
      .string()
      .nullable()
      .meta({ description: "URL of its website, https or http; null: none." }),
    version: z
      .string()
      .nullable()
      .meta({ description: "Version of its software, from gossip; null: not known." }),
    clientType: z
      .enum(CLIENT_TYPES)
      .nullable()
      .meta({
        description:
          "Client that its software is or derives from; unknown: none of the three. null: " +
          "not known.",
      }),
    clientId: z
      .int()
      .min(0)
      .max(13)
      .nullable()
      .meta({
        description:
          "Number of its software in the registry of gossip client ids; null: not registered.",
      }),
    client: z
      .string()
      .nullable()
      .meta({ description: "Display name of clientId; null: not known." }),
    rank: z
      .int()
      .min(1)
      .meta({ description: "Rank by active stake, from 1; ties by vote account." }),
    commission: commissionSchema
      .nullable()
      .meta({
        description: "Inflation commission announced now, percent, two decimals; null: not known.",
      }),
    activeStake: stakeSchema.meta({ description: "Stake active in this epoch." }),
    activatingStake: stakeSchema.meta({ description: "Stake active from the next epoch on." }),
    deactivatingStake: stakeSchema.meta({
      description: "Stake active for the last time in this epoch.",
    }),
    stakePercent: percentSchema.meta({
      description: "activeStake / `meta.networkStake` of the list, percent, four decimals.",
    }),
    stakeAccountCount: countSchema.meta({
      description: "Stake accounts delegated to it and not yet inactive.",
    }),
    delinquent: z.boolean().meta({ description: "true: it does not vote now." }),
    delinquentSince: timeSchema
      .nullable()
      .meta({
        description: "Time of the first check since which it has not voted, UTC; null: it votes.",
      }),
    mevVendorEnabled: z
      .boolean()
      .meta({ description: "true: it runs a Jito client, by Jito's own list." }),
    batchVendorEnabled: z
      .boolean()
      .meta({ description: "true: it runs a client with BAM, Jito's Block Assembly Marketplace." }),
    firstSeenEpoch: countSchema
      .nullable()
      .meta({ description: "First epoch with data about it; null: none yet." }),
    updatedAt: timeSchema
      .nullable()
      .meta({
        description:
          "Time of the last change of any field except rank, stakePercent, pattern, verdict, its " +
          "reason, applied and MEV commissions, UTC; null: not known.",
      }),
    location: placeSchema
      .nullable()
      .meta({ description: "Location of its node; null: not known." }),
    inValidatorSet: z
      .boolean()
      .meta({ description: "true: the vote account is in this epoch's validator set." }),
    stakeAccountsAsOf: timeSchema
      .nullable()
      .meta({
        description:
          "Time at which activatingStake, deactivatingStake and stakeAccountCount were read, " +
          "UTC; null: not yet in this epoch, and they are 0.",
      }),
    appliedCommission: commissionSchema
      .nullable()
      .meta({
        description:
          "Inflation commission that the rewards of the newest epoch pay, percent; " +
          "`commission` is the announced one. null: not known.",
      }),
    pattern: patternSchema
      .nullable()
      .meta({
        description:
          "Current pattern of its commission; null: none. Events also show patterns of the past.",
      }),
    nextAppliedCommission: commissionSchema
      .nullable()
      .meta({
        description:
          "Inflation commission that the rewards of the next epoch will pay, percent, as far as " +
          "known now; null: not known, or nothing will be paid.",
      }),
    appliedCommissions: z
      .array(commissionSchema.nullable())
      .max(LISTED_EPOCHS)
      .meta({
        description:
          `\`appliedCommission\` of the newest ${LISTED_EPOCHS} epochs, oldest first; fewer for a ` +
          "validator known for less.",
      }),
    mevCommission: commissionSchema
      .nullable()
      .meta({ description: "Commission on MEV tips, percent; null: disabled or not known." }),
    blockRevenueCommission: commissionSchema
      .nullable()
      .meta({
        description:
          "Commission on block revenue announced now, percent, two decimals; 100 means that " +
          "the validator keeps all of it. null: not known, or the account has none (its " +
          "layout is older than version 4).",
      }),
    verdict: verdictLevelSchema.meta({
      description:
        "Level of its verdict; the profile has the reasons. unknown: too little is known for " +
        "any other level.",
    }),
    verdictReason: verdictReasonSchema.meta({
      description: "The first reason of its verdict: what costs the delegator soonest.",
    }),
  })
  .meta({ id: "Validator", description: "A validator in the list." });

/** An item of the list of validators. */
export type Validator = z.infer<typeof validatorSchema>;

const ACCOUNT_PARTS = [
  "withdrawAuthority",
  "inflationCollector",
  "blockRevenueCollector",
  "blockRevenueCommission",
] as const;

/** Most changes of the account in a profile: the newest. */
export const ACCOUNT_CHANGES_MAX = 50;

/**
 * `verified` of an account's change whose transaction is not known. The other values are {@link
 * VERIFIED}.
 */
export const OBSERVED = "observed";

const accountChangeSchema = z
  .object({
    of: z
      .enum(ACCOUNT_PARTS)
      .meta({
        description:
          "What changed. `withdrawAuthority`: the key that may change the account. " +
          "`inflationCollector`: the account that receives inflation commission. " +
          "`blockRevenueCollector`: the account that receives block revenue commission. " +
          "`blockRevenueCommission`: the rate of that commission.",
      }),
    toKey: pubkeySchema
      .nullable()
      .meta({ description: "The new key, Base58; null: it is a commission." }),
    toCommission: commissionSchema
      .nullable()
      .meta({ description: "The new commission, percent; null: it is a key." }),
    slot: countSchema.meta({
      description:
        "Slot that executed the transaction; if that is not known, slot of the first reading " +
        "of the new value.",
    }),
    epoch: countSchema.meta({ description: "Epoch of that slot." }),
    blockTime: timeSchema
      .nullable()
      .meta({ description: "Time of its block by the cluster's clock, UTC; null: not known." }),
    signature: z
      .string()
      .nullable()
      .meta({
        description: "Signature of the transaction, Base58: its id on chain; null: not known.",
      }),
    signer: pubkeySchema
      .nullable()
      .meta({ description: "Withdraw authority that signed it, Base58; null: not known." }),
    verified: z
      .string()
      .meta({
        description:
          `How Rugwatch knows of it. ${VERIFIED.map((how) => `\`${how}\``).join(", ")}: by its transaction, as in an ` +
          `event. \`${OBSERVED}\`: two snapshots show the new value; its transaction is not known.`,
      }),
    verifiedBy: z
      .enum([...Object.values(VERIFIED_BY), OBSERVED])
      .meta({ description: "`verified` as a code." }),
    fromCommission: commissionSchema
      .nullable()
      .meta({
        description:
          "The commission last read before, percent; null: it is a key, or none was read before.",
      }),
    firstSeenAt: timeSchema
      .nullable()
      .meta({
        description:
          "Time of the first reading of the new commission, UTC; null: only the transaction " +
          "shows it.",
      }),
  })
  .meta({
    id: "AccountChange",
    description: "A change of the vote account, other than of its inflation commission.",
  });

/** The profile of a validator. */
export const profileSchema = z
  .object({
    ...validatorSchema.shape,
    mev: z
      .object({
        epoch: countSchema.meta({ description: "Epoch of these commissions." }),
        mevCommission: commissionSchema
          .nullable()
          .meta({ description: "Commission on MEV tips, percent; null: disabled or not known." }),
        priorityFeeCommission: commissionSchema
          .nullable()
          .meta({ description: "Commission on priority fees, percent; null: not known." }),
      })
      .meta({ description: "Commissions on tips and fees." }),
    performance: z
      .object({
        epoch: countSchema.meta({ description: "Epoch of these figures." }),
        skipRate: percentSchema.meta({
          description:
            "Share of leader slots without a block, percent, two decimals; 0 without leader slots.",
        }),
        voteCredits: countSchema.meta({
          description: "Vote credits earned in `epoch`, in the unit of voteCreditsUnit.",
        }),
        voteCreditsUnit: z
          .enum(["credits", "lamports"])
          .meta({ description: "Unit of voteCredits: vote credits, or lamports under Alpenglow." }),
        leaderSlots: countSchema.meta({
          description: "Slots assigned to it as leader, up to asOf.",
        }),
        blocksProduced: countSchema.meta({ description: "Blocks it produced in these slots." }),
        asOf: timeSchema
          .nullable()
          .meta({
            description:
              "Time of the reading behind these figures, the last of a full hour, UTC; null: " +
              "never read.",
          }),
      })
      .meta({
        description:
          "Votes and blocks in `performance.epoch`: the running epoch or, for about its " +
          "first hour, the one before. Updated once an hour.",
      }),
    listed: z
      .boolean()
      .meta({ description: "false: the vote account has left the cluster's list." }),
    lastSeenAt: timeSchema
      .nullable()
      .meta({
        description: "Time of the last observation that listed it, UTC; null: it is listed now.",
      }),
    withdrawAuthority: pubkeySchema
      .nullable()
      .meta({
        description:
          "Withdraw authority, Base58: the key that may change the commission and withdraw; " +
          "null: not known.",
      }),
    commissionCollector: pubkeySchema
      .nullable()
      .meta({
        description:
          "Account that receives inflation commission by the latest transaction, Base58; " +
          "null: no such transaction known.",
      }),
    accountChanges: z
      .array(accountChangeSchema)
      .max(ACCOUNT_CHANGES_MAX)
      .meta({
        description:
          "Changes other than of inflation commission that transactions made, and changes of " +
          "blockRevenueCommission even if no transaction is known; newest first, at most 50.",
      }),
    verdict: verdictSchema,
  })
  .meta({ id: "ValidatorProfile", description: "Everything known about a validator now." });

/** Everything known about a validator now. */
export type Profile = z.infer<typeof profileSchema>;
