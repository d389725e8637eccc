import { z } from "zod";
import { sourceSchema } from "./event.ts";
import { networkSchema } from "./networks.ts";
import { commissionSchema, countSchema, pubkeySchema, timeSchema } from "./values.ts";

/** Sources of an observation that can fail alone, in the order of publication. */
export const STATUS_SOURCES = [
  "votes",
  "nodes",
  "info",
  "production",
  "stakeAccounts",
  "mev",
  "locations",
  "issuance",
  "witnesses",
] as const;

const RULING_SUBJECTS = ["event", "observation"] as const;
const RULING_VERDICTS = ["accept", "ignore"] as const;

/** Most rulings in the status: the newest. */
export const RULINGS_MAX = 100;

/** Most authorities in `swept.busy`. */
export const BUSY_AUTHORITIES_MAX = 100;

const sweptSchema = z
  .object({
    validators: countSchema.meta({
      description: "Listed validators with a known withdraw authority.",
    }),
    covered: countSchema.meta({
      description:
        "Part of `validators` whose commission-changing transactions Rugwatch knows " +
        "completely, up to upToSlot. Left out are validators whose authority signed a " +
        "transaction later than version 1, which Rugwatch does not read.",
    }),
    upToSlot: countSchema
      .nullable()
      .meta({ description: "Slot up to which all covered validators are covered; null: none is." }),
    busy: z
      .array(
        z.object({
          authority: pubkeySchema.meta({ description: "The withdraw authority, Base58." }),
          votePubkeys: z
            .array(pubkeySchema)
            .meta({ description: "The vote accounts it controls." }),
        }),
      )
      .max(BUSY_AUTHORITIES_MAX)
      .meta({
        description: "Withdraw authorities with too many transactions to search; at most 100.",
      }),
    busyTotal: countSchema.meta({
      description: "Number of such authorities, including those that `busy` leaves out.",
    }),
    refused: countSchema.meta({
      description:
        "Validators that Rugwatch could not search because a majority of its endpoints keep " +
        "no past transactions.",
    }),
    contradictions: countSchema.meta({
      description: "Commissions read from an endpoint that a proved transaction contradicts.",
    }),
  })
  .meta({
    description:
      "How far Rugwatch has searched the transactions of withdraw authorities for commission " +
      "changes.",
  });

const paidSchema = z
  .object({
    epoch: countSchema.meta({ description: "Number of the epoch." }),
    measured: countSchema.meta({ description: "Validators whose paidCommission is known." }),
    contradictions: countSchema.meta({
      description: "Part of them that took another than appliedCommission.",
    }),
  })
  .meta({ description: "The newest epoch whose rewards were read." });

/** The data of `/status`. It is the only document that holds the time of its own making. */
export const statusSchema = z
  .object({
    network: networkSchema,
    generatedAt: timeSchema.meta({ description: "Time at which this document was made, UTC." }),
    foldVersion: countSchema.meta({
      description: "Version of the rules that turn observations into the ledger.",
    }),
    renderVersion: countSchema.meta({
      description: "Version of the rules that turn the ledger into documents.",
    }),
    epoch: countSchema
      .nullable()
      .meta({ description: "Epoch of the newest accepted observation; null: none yet." }),
    slot: countSchema
      .nullable()
      .meta({ description: "Slot of the newest accepted observation; null: none yet." }),
    observedAt: timeSchema
      .nullable()
      .meta({ description: "Time of the newest accepted observation, UTC; null: none yet." }),
    journal: z
      .object({
        entry: z
          .string()
          .regex(/^\d{10}$/)
          .meta({ description: "Number of the newest entry of the journal, ten digits." }),
        hash: z
          .string()
          .regex(/^[0-9a-f]{64}$/)
          .meta({
            description:
              "SHA-256 of that entry, in hexadecimal digits. Each entry holds the hash of " +
              "the one before it.",
          }),
      })
      .nullable()
      .meta({
        description:
          "What all documents were made from: the journal up to this entry; null: nothing yet.",
      }),
    snapshotAt: timeSchema
      .nullable()
      .meta({ description: "Time of the newest accepted snapshot, UTC; null: none yet." }),
    observations: z
      .object({
        accepted: countSchema.meta({ description: "Accepted observations." }),
        refused: countSchema.meta({ description: "Refused observations." }),
      })
      .meta({ description: "Number of observations since the beginning." }),
    sources: z
      .array(
        z.object({
          name: z
            .enum(STATUS_SOURCES)
            .meta({
              description:
                "Name of the source. witnesses: the endpoints that confirm changes; degraded " +
                "while too few answer to confirm any.",
            }),
          state: z
            .enum(["ok", "degraded", "failed", "off"])
            .meta({
              description:
                "ok: the last reading succeeded. degraded: it failed and older facts are " +
                "shown, or a fallback read them and lastSuccessAt is recent. failed: never " +
                "read. off: not configured here.",
            }),
          lastSuccessAt: timeSchema
            .nullable()
            .meta({ description: "Time of the last successful reading, UTC; null: never." }),
          reason: z
            .string()
            .nullable()
            .meta({
              description:
                "Why the source is not ok, as codes, comma separated: http_503, rpc_-32005, " +
                "timeout, no_connection, behind, resting, unreadable, clock, other_cluster, " +
                "witnesses_silent, no_majority, rows_unreadable, not_read_yet; failed: another " +
                "reason. More codes may come. null: it is ok.",
            }),
        }),
      )
      .meta({ description: "The sources of a snapshot, and how each was last read." }),
    pending: z
      .array(
        z.object({
          votePubkey: pubkeySchema.meta({ description: "Vote account of the validator, Base58." }),
          source: sourceSchema,
          fromCommission: commissionSchema
            .nullable()
            .meta({ description: "Commission before the change, percent; null: none." }),
          toCommission: commissionSchema
            .nullable()
            .meta({ description: "Commission after the change, percent; null: none." }),
          firstSeenAt: timeSchema.meta({
            description: "Time of the first observation that showed the change, UTC.",
          }),
          disputed: z
            .boolean()
            .meta({
              description:
                "true: the endpoints contradict each other and no value has a majority, or " +
                "no transaction made the change although all are known. Rugwatch asks again " +
                "at every check.",
            }),
          witnesses: z
            .array(
              z.object({
                endpoint: z.string().meta({ description: "Origin of the endpoint." }),
                commission: commissionSchema
                  .nullable()
                  .meta({
                    description:
                      "Commission that it shows, percent; null: it did not answer, and " +
                      "confirms nothing.",
                  }),
              }),
            )
            .meta({ description: "The latest answer of each endpoint." }),
        }),
      )
      .meta({
        description:
          "Changes that no majority of the endpoints has confirmed yet; every document still " +
          "shows the old value.",
      }),
    dropped: countSchema.meta({
      description:
        "Number of changes that were pending and never confirmed: what showed them did not last.",
    }),
    refused: z
      .array(
        z.object({
          observation: z.string().meta({ description: "Name of the observation." }),
          time: timeSchema.meta({ description: "Time of the observation, UTC." }),
          reason: z.string().meta({ description: "Why Rugwatch refused it, in words." }),
        }),
      )
      .meta({ description: "The latest refused observations, newest first." }),
    rulings: z
      .array(
        z.object({
          subject: z
            .string()
            .meta({
              description:
                "Id of the event, name of the observation, or key of an unreadable pack.",
            }),
          of: z.enum(RULING_SUBJECTS).meta({ description: "What the subject is." }),
          verdict: z
            .enum(RULING_VERDICTS)
            .meta({
              description:
                "ignore: the event is taken back, the observation is not believed, or " +
                "Rugwatch goes on without the unreadable pack. accept: it counts.",
            }),
          reason: z.string().meta({ description: "Why, in the operator's words." }),
          ruledAt: timeSchema.meta({ description: "Time of the ruling in the journal, UTC." }),
        }),
      )
      .max(RULINGS_MAX)
      .meta({
        description: "The operators' last ruling on each subject, newest first; at most 100.",
      }),
    rulingsTotal: countSchema.meta({
      description: "Number of subjects with a ruling, including those that `rulings` leaves out.",
    }),
    withdrawn: countSchema.meta({
      description: "Number of events that a ruling took back; no other document shows them.",
    }),
    quarantined: z
      .array(
        z.object({
          object: z.string().meta({ description: "Name of the object." }),
          reason: z.string().meta({ description: "What is wrong with it, in words." }),
        }),
      )
      .meta({
        description:
          "Objects of the journal that Rugwatch cannot read. While `reason` says that " +
          "publishing waits for one, only this document is updated.",
      }),
    paid: paidSchema.nullable().meta({ description: "null: none has been read." }),
    swept: sweptSchema,
  })
  .meta({ id: "Status", description: "Freshness of a network's documents." });

/** How fresh the documents of a network are. */
export type Status = z.infer<typeof statusSchema>;
