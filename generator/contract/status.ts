import { z } from "zod";
import { sourceSchema } from "./event.ts";
import { networkSchema } from "./networks.ts";
import { commissionSchema, countSchema, pubkeySchema, timeSchema } from "./values.ts";

/** What a snapshot is made of; each can fail without the others. */
export const STATUS_SOURCES = ["votes", "nodes", "info", "production", "stakeAccounts", "mev", "locations"] as const;

/** What an operator can rule on, and how. */
export const RULING_SUBJECTS = ["event", "observation"] as const;
export const RULING_VERDICTS = ["accept", "ignore"] as const;

/** Most rulings shown. */
export const RULINGS_MAX = 100;

/** How fresh a network's documents are. The only document that carries the time of its own making. */
export const statusSchema = z
  .object({
    network: networkSchema,
    generatedAt: timeSchema,
    foldVersion: countSchema,
    renderVersion: countSchema,
    epoch: countSchema.nullable(),
    slot: countSchema.nullable(),
    observedAt: timeSchema.nullable().meta({ description: "Newest accepted observation." }),
    snapshotAt: timeSchema.nullable().meta({ description: "Newest accepted snapshot." }),
    observations: z.object({ accepted: countSchema, refused: countSchema }),
    sources: z.array(
      z.object({
        name: z.enum(STATUS_SOURCES),
        state: z
          .enum(["ok", "degraded", "failed", "off"])
          .meta({
            description:
              "degraded: the last reading failed, older facts are shown; or they were read in a second-best way, and lastSuccessAt is recent. failed: never read. off: not configured here.",
          }),
        lastSuccessAt: timeSchema.nullable(),
        reason: z.string().nullable(),
      }),
    ),
    pending: z
      .array(
        z.object({
          votePubkey: pubkeySchema,
          source: sourceSchema,
          fromCommission: commissionSchema.nullable(),
          toCommission: commissionSchema.nullable(),
          firstSeenAt: timeSchema,
        }),
      )
      .meta({ description: "Changes seen once; every document still shows the old value." }),
    dropped: countSchema.meta({ description: "Changes seen once that the second reading did not confirm." }),
    refused: z
      .array(z.object({ observation: z.string(), time: timeSchema, reason: z.string() }))
      .meta({ description: "The newest refused observations, newest first." }),
    rulings: z
      .array(
        z.object({
          subject: z.string().meta({ description: "Id of the event, or name of the observation." }),
          of: z.enum(RULING_SUBJECTS),
          verdict: z
            .enum(RULING_VERDICTS)
            .meta({ description: "ignore: an event is taken back, an observation not believed. accept: it counts." }),
          reason: z.string(),
          ruledAt: timeSchema,
        }),
      )
      .max(RULINGS_MAX)
      .meta({ description: "The last word of the operators on each subject, newest first; the newest 100." }),
    rulingsTotal: countSchema.meta({
      description: "Subjects that were ruled on, also those that `rulings` leaves out.",
    }),
    withdrawn: countSchema.meta({ description: "Events that a ruling took back: no other document shows them." }),
    quarantined: z.array(z.object({ object: z.string(), reason: z.string() })),
  })
  .meta({ id: "Status" });

export type Status = z.infer<typeof statusSchema>;
