import { z } from "zod";
import { costSchema } from "./cost.ts";
import { patternSchema } from "./pattern.ts";
import { commissionSchema, countSchema, pubkeySchema, timeSchema } from "./values.ts";

export const SEVERITIES = ["RUG", "CAUTION", "INFO"] as const;
export const SOURCES = ["COMMISSION", "MEV"] as const;

export const severitySchema = z
  .enum(SEVERITIES)
  .meta({
    description:
      "RUG: a rise to 90 % or more. CAUTION: a rise of 10 percentage points or more to less (MEV: 20; or enabled at 90 % or " +
      "more). INFO: every other change.",
  });
export const sourceSchema = z
  .enum(SOURCES)
  .meta({ description: "COMMISSION: inflation commission. MEV: MEV commission." });

/** What a second reading was: a transaction, a majority of the witnesses, the account itself, or further lists. */
export const CONFIRMED_BY = ["transaction", "witnesses", "account", "observations"] as const;
export const confirmedBySchema = z.enum(CONFIRMED_BY);

/** How a transaction is known to be the validator's own. */
export const VERIFIED = ["signature", "signature, one witness", "witnesses", "one witness"] as const;

/** One of {@link VERIFIED}; v1 promises a text. */
export const verifiedSchema = z
  .string()
  .meta({
    description:
      "signature: its signature was verified here, and a majority of the witnesses tell of it alike. signature, one " +
      "witness: verified, and told by the only one. witnesses: told alike by a majority, not verified (a program signed, " +
      "or a look-up table names the account). one witness: told by the only one, not verified.",
  });

/** A commission that a transaction set. */
const stepSchema = z.object({
  signature: z.string().meta({ description: "Signature of its transaction, Base58." }),
  slot: countSchema.meta({ description: "Slot in which it was executed." }),
  commission: commissionSchema.meta({ description: "The inflation commission that it set, percent." }),
});

/** The transaction that made a change, as it is proved. */
export const transactionSchema = z
  .object({
    signature: z.string().meta({ description: "Signature of the transaction, Base58: names it." }),
    slot: countSchema.meta({ description: "Slot in which it was executed." }),
    blockTime: timeSchema
      .nullable()
      .meta({ description: "Time of its block by the cluster's clock, UTC; null: not known." }),
    signer: pubkeySchema.meta({ description: "Withdraw authority of the vote account, Base58." }),
    verified: verifiedSchema,
    steps: z
      .array(stepSchema)
      .meta({
        description:
          "Every commission that was set between the two observations of the change, in order; the last is the new one. " +
          "Those of one slot follow each other: only the last of a slot ever stood.",
      }),
  })
  .meta({ id: "CommissionTransaction", description: "The transaction that made a change." });

export type Verified = (typeof VERIFIED)[number];
export type ConfirmedBy = z.infer<typeof confirmedBySchema>;
export type Severity = z.infer<typeof severitySchema>;
export type Source = z.infer<typeof sourceSchema>;

/** One change of a commission; `confirmed` tells whether a second reading saw it. */
export const eventSchema = z
  .object({
    id: z.string().meta({ description: "Names the event for good: the same after every rebuild." }),
    votePubkey: pubkeySchema.meta({ description: "Vote account of the validator, Base58." }),
    validatorName: z
      .string()
      .nullable()
      .meta({ description: "Name by the validator's own word: any text, never markup. null: none." }),
    severity: severitySchema,
    source: sourceSchema,
    fromCommission: commissionSchema
      .nullable()
      .meta({ description: "Commission before, percent, up to two decimals; null: MEV was disabled." }),
    toCommission: commissionSchema
      .nullable()
      .meta({ description: "Commission after, percent, up to two decimals; null: MEV is disabled." }),
    fromDisabled: z.boolean().meta({ description: "MEV was disabled before; always false for inflation commission." }),
    toDisabled: z.boolean().meta({ description: "MEV is disabled now; always false for inflation commission." }),
    delta: z
      .number()
      .min(-100)
      .max(100)
      .nullable()
      .meta({ description: "toCommission − fromCommission in percentage points; null if a side is null." }),
    epoch: countSchema.meta({
      description:
        "Epoch in which the change was made, by its transaction, or else in which it was seen; of MEV commission the one " +
        "whose tips it concerns.",
    }),
    createdAt: timeSchema
      .nullable()
      .meta({
        description:
          "Time of the first observation that showed the change, UTC; of one that only its transaction tells of " +
          "(previousSlot is null), when that was read. null: from public history, or read over two epochs late.",
      }),
    slot: countSchema.meta({
      description:
        "Slot of the first observation that showed the change; without one, that of its transaction, or else the first of " +
        "the epoch.",
    }),
    previousSlot: countSchema
      .nullable()
      .meta({
        description:
          "Slot of the last observation that showed the old value: the change lies between. null: none; no observation saw " +
          "the change.",
      }),
    previousSeenAt: timeSchema
      .nullable()
      .meta({ description: "Time of the last observation that showed the old value, UTC; null: none." }),
    effectiveEpoch: countSchema
      .nullable()
      .meta({
        description:
          "First epoch whose rewards pay the new rate: from then on it costs the delegator. Where effectiveEpochLatest is " +
          "another, the first that may. null: not known.",
      }),
    confirmed: z.boolean().meta({ description: "Seen by a second reading; false for backfilled history." }),
    effectiveEpochLatest: countSchema
      .nullable()
      .meta({
        description:
          "The same if the change was made at the end of its window: later than effectiveEpoch where an epoch began between " +
          "previousSlot and slot. null: not known.",
      }),
    effectiveEpochFinal: z
      .boolean()
      .meta({
        description:
          "Nothing that the cluster has yet to show can change the two epochs. false: who will be in the next validator " +
          "sets, or was in them while nobody looked, may.",
      }),
    confirmedBy: confirmedBySchema
      .nullable()
      .meta({
        description:
          "The second reading. transaction: the one that made the change; no reading decided it. witnesses: a majority of them read it in the vote " +
          "account. account: one read it there. observations: further lists. null: none, or not known.",
      }),
    transaction: transactionSchema
      .nullable()
      .meta({ description: "The transaction that made the change; null: none is found." }),
    supersededBy: z
      .string()
      .nullable()
      .meta({
        description:
          "Id of the event that took the new rate away before the epoch ended: no rewards were ever paid at it; or replacedBy. " +
          "null: none, or it is not certain.",
      }),
    replacedBy: z
      .string()
      .nullable()
      .meta({
        description:
          "Id of the last of the steps that the change was made in, where they are events of their own: one of them stood at " +
          "the end of an epoch. Who counts rises counts those: this event is in no feed and in no statistics. null: there are none.",
      }),
    pattern: patternSchema
      .nullable()
      .meta({
        description:
          "The pattern that the event repeats, as it stood with this event: it does not change when it is repeated again. null: " +
          "it repeats none, or goes further than the pattern has gone before.",
      }),
    cost: costSchema
      .nullable()
      .meta({
        description:
          "What the change costs the validator's delegators in an epoch. null: of MEV commission, or a number is not known, as " +
          "of epochs that were not observed.",
      }),
  })
  .meta({ id: "CommissionEvent", description: "One change of a validator's inflation or MEV commission." });

export type CommissionEvent = z.infer<typeof eventSchema>;
