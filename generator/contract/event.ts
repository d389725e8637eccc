import { z } from "zod";
import { costSchema } from "./cost.ts";
import { incidentSchema } from "./incident.ts";
import { mevCostSchema } from "./mev-cost.ts";
import { patternSchema } from "./pattern.ts";
import { CAUTION_POINTS, RUG_RATE } from "./severity.ts";
import { commissionSchema, countSchema, pubkeySchema, timeSchema } from "./values.ts";

/** Severities of events, worst first. */
export const SEVERITIES = ["RUG", "CAUTION", "INFO"] as const;
/** The commissions whose changes are events. */
export const SOURCES = ["COMMISSION", "MEV"] as const;

/** The `severity` of events and of filters. */
export const severitySchema = z
  .enum(SEVERITIES)
  .meta({
    description:
      `RUG: a rise to ${RUG_RATE} or more. CAUTION: a rise of at least ${CAUTION_POINTS.COMMISSION} percentage points ` +
      `(MEV: ${CAUTION_POINTS.MEV}) that ends below ${RUG_RATE}, ` +
      `or MEV enabled at ${RUG_RATE} or more. INFO: every other change.`,
  });
/** The `source` of events: which commission changed. */
export const sourceSchema = z
  .enum(SOURCES)
  .meta({ description: "COMMISSION: inflation commission. MEV: MEV commission." });

/** What can confirm a change: the values of `confirmedBy`. */
const CONFIRMED_BY = ["transaction", "witnesses", "account", "observations"] as const;
const confirmedBySchema = z.enum(CONFIRMED_BY);

/** How a transaction was verified: the values of `verified` that exist so far. */
export const VERIFIED = [
  "signature",
  "signature, one witness",
  "witnesses",
  "one witness",
] as const;

/** The same as codes, for `verifiedBy`. */
export const VERIFIED_BY = {
  signature: "signature",
  "signature, one witness": "signature_one_witness",
  witnesses: "witnesses",
  "one witness": "one_witness",
} as const satisfies Record<(typeof VERIFIED)[number], string>;

/** The `verifiedBy` of transactions. */
export const verifiedBySchema = z
  .enum(Object.values(VERIFIED_BY))
  .meta({ description: "`verified` as a code." });

/** One of {@link VERIFIED}. v1 promises only a string, so that values can be added. */
const verifiedSchema = z
  .string()
  .meta({
    description:
      "How Rugwatch verified the transaction. `signature`: it verified the signature, and a " +
      "majority of witnesses report the same transaction. `signature, one witness`: it " +
      "verified the signature; there is only one witness. `witnesses`: a majority report the " +
      "same transaction, but the signature proves nothing here (a program signed, or a " +
      "look-up table names the account). `one witness`: the only witness reports it, without " +
      "a verified signature.",
  });

const stepSchema = z.object({
  signature: z.string().meta({ description: "Signature of the transaction, Base58." }),
  slot: countSchema.meta({ description: "Slot that executed the transaction." }),
  commission: commissionSchema.meta({
    description: "Inflation commission that the transaction set, percent.",
  }),
});

/** The `transaction` of events: the proof of a change. */
const transactionSchema = z
  .object({
    signature: z
      .string()
      .meta({ description: "Signature of the transaction, Base58: its id on chain." }),
    slot: countSchema.meta({ description: "Slot that executed the transaction." }),
    blockTime: timeSchema
      .nullable()
      .meta({ description: "Time of its block by the cluster's clock, UTC; null: not known." }),
    signer: pubkeySchema.meta({
      description: "Withdraw authority that signed the transaction, Base58.",
    }),
    verified: verifiedSchema,
    verifiedBy: verifiedBySchema,
    steps: z
      .array(stepSchema)
      .meta({
        description:
          "Every commission set between the two observations of the change, in order; the " +
          "last is the new commission. Of several in one slot, only the last took effect. " +
          "Steps after `signature` left the end of each epoch as it was.",
      }),
  })
  .meta({ id: "CommissionTransaction", description: "The transaction that made a change." });

/** How a transaction was verified. */
export type Verified = (typeof VERIFIED)[number];
/** What confirmed a change. */
export type ConfirmedBy = z.infer<typeof confirmedBySchema>;
/** How grave a change is. */
export type Severity = z.infer<typeof severitySchema>;
/** Which commission changed. */
export type Source = z.infer<typeof sourceSchema>;

/** An event: one change of a commission. */
export const eventSchema = z
  .object({
    id: z
      .string()
      .meta({
        description:
          "Id of the event. It never changes, not even when Rugwatch recomputes its history.",
      }),
    votePubkey: pubkeySchema.meta({ description: "Vote account of the validator, Base58." }),
    validatorName: z
      .string()
      .nullable()
      .meta({
        description: "Name that the validator gives itself: any text, never markup. null: none.",
      }),
    severity: severitySchema,
    source: sourceSchema,
    fromCommission: commissionSchema
      .nullable()
      .meta({
        description:
          "Commission before the change, percent, up to two decimals; null: MEV was disabled.",
      }),
    toCommission: commissionSchema
      .nullable()
      .meta({
        description:
          "Commission after the change, percent, up to two decimals; null: MEV is disabled.",
      }),
    fromDisabled: z
      .boolean()
      .meta({
        description: "MEV was disabled before the change; always false for inflation commission.",
      }),
    toDisabled: z
      .boolean()
      .meta({
        description: "MEV is disabled after the change; always false for inflation commission.",
      }),
    delta: z
      .number()
      .min(-100)
      .max(100)
      .nullable()
      .meta({
        description: "toCommission − fromCommission, percentage points; null if either is null.",
      }),
    epoch: countSchema.meta({
      description:
        "Epoch of the change's transaction or, without one, of the observation that first " +
        "showed it. For MEV commission: the epoch whose tips it applies to.",
    }),
    createdAt: timeSchema
      .nullable()
      .meta({
        description:
          "Time of the first observation that showed the change, UTC. If only a transaction " +
          "shows it (previousSlot is null): when Rugwatch read that transaction. null: the " +
          "event comes from public history, or Rugwatch read it more than two epochs late.",
      }),
    slot: countSchema.meta({
      description:
        "Slot of the first observation that showed the change. Without an observation: the " +
        "slot of its transaction, or the first slot of the epoch.",
    }),
    previousSlot: countSchema
      .nullable()
      .meta({
        description:
          "Slot of the last observation that showed the old value: the change lies between " +
          "previousSlot and slot. null: no observation saw the change.",
      }),
    previousSeenAt: timeSchema
      .nullable()
      .meta({
        description:
          "Time of the last observation that showed the old value, UTC; null: no observation " +
          "saw the change.",
      }),
    effectiveEpoch: countSchema
      .nullable()
      .meta({
        description:
          "First epoch whose rewards pay the new rate; rewards of an epoch are paid when it " +
          "ends. If effectiveEpochLatest differs, the first epoch is one of the two or " +
          "between them. null: not known.",
      }),
    confirmed: z
      .boolean()
      .meta({
        description:
          "true: endpoints or a transaction confirmed the change: see confirmedBy. false: " +
          "known only from a public history.",
      }),
    effectiveEpochLatest: countSchema
      .nullable()
      .meta({
        description:
          "Latest possible effectiveEpoch: later than effectiveEpoch if an epoch began " +
          "between previousSlot and slot. null: not known.",
      }),
    effectiveEpochFinal: z
      .boolean()
      .meta({
        description:
          "true: effectiveEpoch and effectiveEpochLatest will not change. false: they may, " +
          "as validator sets become known.",
      }),
    confirmedBy: confirmedBySchema
      .nullable()
      .meta({
        description:
          "What confirmed the change. transaction: the transaction that made it. witnesses: " +
          "a majority of the witnesses showed it. account: one witness showed it in the " +
          "account itself. observations: several observations of one witness showed it. " +
          "null: nothing did, or not known.",
      }),
    transaction: transactionSchema
      .nullable()
      .meta({ description: "The transaction that made the change; null: none found." }),
    supersededBy: z
      .string()
      .nullable()
      .meta({
        description:
          "Id of the event that replaced the new rate in time, so no rewards ever paid it; " +
          "equals replacedBy where that is set. null: none, or uncertain.",
      }),
    replacedBy: z
      .string()
      .nullable()
      .meta({
        description:
          "Id of the last step of this change, if its steps are events of their own because " +
          "one of them was in force at an epoch's end. Count the steps, not this event: " +
          "feeds and statistics leave it out. If you already announced it, do not announce " +
          "the steps. null: there are no such steps.",
      }),
    pattern: patternSchema
      .nullable()
      .meta({
        description:
          "The pattern that this event repeats, as of this event: later repeats do not " +
          "change it. null: it repeats none, or goes further than the pattern did before.",
      }),
    incident: incidentSchema
      .nullable()
      .meta({
        description:
          "The incident that this event is part of, as of now: it grows while members " +
          "arrive, and is the same in every answer. null: none; so are MEV commission, " +
          "repeats of a `pattern` and events without createdAt.",
      }),
    cost: costSchema
      .nullable()
      .meta({
        description:
          "What the change costs the validator's delegators in an epoch. Its amounts are 0 " +
          "for a rise from a rate that was never paid, to a rate that is never paid, or " +
          "without active stake: see `basis`. null: MEV commission (see mevCost), or an " +
          "input is unknown.",
      }),
    mevCost: mevCostSchema
      .nullable()
      .meta({
        description:
          "What a change of MEV commission costs the validator's delegators in " +
          "effectiveEpoch. null: inflation commission; MEV was or is disabled (delegators " +
          "then get no tips through this vendor, and nobody knows how many there would be); " +
          "or the stake or the tips are unknown, because no majority of witnesses read them " +
          "before the vendor closed the account.",
      }),
  })
  .meta({
    id: "CommissionEvent",
    description: "One change of a validator's inflation or MEV commission.",
  });

/** One change of a validator's inflation or MEV commission, as published. */
export type CommissionEvent = z.infer<typeof eventSchema>;

/** Fields that `fields=compact` leaves out. */
export const COMPACT_LACKS = ["transaction", "cost", "mevCost"] as const;

/** An item of `/events`, which the request may want compact. */
export const listedEventSchema = eventSchema
  .partial({ transaction: true, cost: true, mevCost: true })
  .meta({
    id: "ListedEvent",
    description:
      "One change of a validator's inflation or MEV commission. Only `fields=compact` leaves " +
      `out ${COMPACT_LACKS.map((field) => `\`${field}\``).join(", ")}.`,
  });
