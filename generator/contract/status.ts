import { z } from "zod";
import { sourceSchema } from "./event.ts";
import { networkSchema } from "./networks.ts";
import { commissionSchema, countSchema, pubkeySchema, timeSchema } from "./values.ts";

/** What a snapshot is made of; each can fail without the others. */
export const STATUS_SOURCES = ["votes", "nodes", "info", "production", "stakeAccounts", "mev", "locations"] as const;

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
    quarantined: z.array(z.object({ object: z.string(), reason: z.string() })),
  })
  .meta({ id: "Status" });

export type Status = z.infer<typeof statusSchema>;
