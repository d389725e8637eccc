import { z } from "zod";
import { sourceSchema } from "./event.ts";
import { networkSchema } from "./networks.ts";
import { commissionSchema, countSchema, pubkeySchema, timeSchema } from "./values.ts";

/** What a snapshot is made of; each can fail without the others. */
export const STATUS_SOURCES = [
  "votes",
  "nodes",
  "info",
  "production",
  "stakeAccounts",
  "mev",
  "locations",
  "issuance",
] as const;

/** What an operator can rule on, and how. */
export const RULING_SUBJECTS = ["event", "observation"] as const;
export const RULING_VERDICTS = ["accept", "ignore"] as const;

/** Most rulings shown. */
export const RULINGS_MAX = 100;

/** Most authorities shown that sign too much to be searched. */
export const BUSY_AUTHORITIES_MAX = 100;

const sweptSchema = z
  .object({
    validators: countSchema.meta({ description: "Listed validators of which a withdraw authority is known." }),
    covered: countSchema.meta({
      description: "Of them those of which every change of commission by a transaction is known up to upToSlot.",
    }),
    upToSlot: countSchema.nullable().meta({ description: "The slot up to which all of those are; null: none is." }),
    busy: z
      .array(
        z.object({
          authority: pubkeySchema.meta({ description: "The withdraw authority, Base58." }),
          votePubkeys: z.array(pubkeySchema).meta({ description: "The vote accounts that are its." }),
        }),
      )
      .max(BUSY_AUTHORITIES_MAX)
      .meta({ description: "Withdraw authorities that sign too much to be searched; 100 at most." }),
    busyTotal: countSchema.meta({ description: "Such authorities, also those that `busy` leaves out." }),
    refused: countSchema.meta({
      description: "Validators that no majority of the endpoints could be asked about: they keep no past transactions.",
    }),
    contradictions: countSchema.meta({
      description: "Commissions that were read, and that a proved transaction contradicts.",
    }),
  })
  .meta({ description: "How far the transactions of withdraw authorities were searched for changes of commission." });

/** How fresh a network's documents are. The only document that carries the time of its own making. */
export const statusSchema = z
  .object({
    network: networkSchema,
    generatedAt: timeSchema.meta({ description: "When this document was made, UTC." }),
    foldVersion: countSchema.meta({ description: "Version of the rules that make a ledger of observations." }),
    renderVersion: countSchema.meta({ description: "Version of the rules that make documents of the ledger." }),
    epoch: countSchema.nullable().meta({ description: "Epoch of the newest accepted observation; null: none yet." }),
    slot: countSchema.nullable().meta({ description: "Slot of the newest accepted observation; null: none yet." }),
    observedAt: timeSchema.nullable().meta({ description: "Newest accepted observation, UTC; null: none yet." }),
    snapshotAt: timeSchema.nullable().meta({ description: "Newest accepted snapshot, UTC; null: none yet." }),
    observations: z
      .object({
        accepted: countSchema.meta({ description: "Believed." }),
        refused: countSchema.meta({ description: "Not believed." }),
      })
      .meta({ description: "Observations since the beginning." }),
    sources: z
      .array(
        z.object({
          name: z.enum(STATUS_SOURCES).meta({ description: "What is read of the cluster, or beside it." }),
          state: z
            .enum(["ok", "degraded", "failed", "off"])
            .meta({
              description:
                "degraded: the last reading failed, older facts are shown; or they were read in a second-best way, and lastSuccessAt is recent. failed: never read. off: not configured here.",
            }),
          lastSuccessAt: timeSchema.nullable().meta({ description: "Last time it was read, UTC; null: never." }),
          reason: z.string().nullable().meta({ description: "Why it is not ok, in words; null: it is." }),
        }),
      )
      .meta({ description: "What a snapshot is made of, and how each part was last read." }),
    pending: z
      .array(
        z.object({
          votePubkey: pubkeySchema.meta({ description: "Vote account of the validator, Base58." }),
          source: sourceSchema,
          fromCommission: commissionSchema.nullable().meta({ description: "Commission before, percent; null: none." }),
          toCommission: commissionSchema.nullable().meta({ description: "Commission after, percent; null: none." }),
          firstSeenAt: timeSchema.meta({ description: "First observation that showed it, UTC." }),
          disputed: z
            .boolean()
            .meta({
              description:
                "The endpoints contradict each other, and no value has a majority: they are asked again each time.",
            }),
          witnesses: z
            .array(
              z.object({
                endpoint: z.string().meta({ description: "Origin of the endpoint." }),
                commission: commissionSchema
                  .nullable()
                  .meta({ description: "What it reads in the account, percent; null: it could not be asked." }),
              }),
            )
            .meta({ description: "What each endpoint says by now." }),
        }),
      )
      .meta({
        description: "Changes that no majority of the endpoints has confirmed; every document shows the old value.",
      }),
    dropped: countSchema.meta({ description: "Changes seen once that the second reading did not confirm." }),
    refused: z
      .array(
        z.object({
          observation: z.string().meta({ description: "Name of the observation." }),
          time: timeSchema.meta({ description: "When it was made, UTC." }),
          reason: z.string().meta({ description: "Why it was not believed, in words." }),
        }),
      )
      .meta({ description: "The newest refused observations, newest first." }),
    rulings: z
      .array(
        z.object({
          subject: z.string().meta({ description: "Id of the event, or name of the observation." }),
          of: z.enum(RULING_SUBJECTS).meta({ description: "What the subject is." }),
          verdict: z
            .enum(RULING_VERDICTS)
            .meta({ description: "ignore: an event is taken back, an observation not believed. accept: it counts." }),
          reason: z.string().meta({ description: "Why, in the operator's words." }),
          ruledAt: timeSchema.meta({ description: "When the ruling takes its place in the journal, UTC." }),
        }),
      )
      .max(RULINGS_MAX)
      .meta({ description: "The last word of the operators on each subject, newest first; the newest 100." }),
    rulingsTotal: countSchema.meta({
      description: "Subjects that were ruled on, also those that `rulings` leaves out.",
    }),
    withdrawn: countSchema.meta({ description: "Events that a ruling took back: no other document shows them." }),
    quarantined: z
      .array(
        z.object({
          object: z.string().meta({ description: "Name of the object." }),
          reason: z.string().meta({ description: "What is wrong with it, in words." }),
        }),
      )
      .meta({ description: "Objects of the journal that cannot be read, and are left out." }),
    swept: sweptSchema,
  })
  .meta({ id: "Status", description: "How fresh the documents of a network are." });

export type Status = z.infer<typeof statusSchema>;
