import { z } from "zod";
import { placeSchema } from "./validator.ts";
import { countSchema, timeSchema } from "./values.ts";

/** Most recent changes of place a location document holds. */
export const LOCATION_CHANGES_MAX = 50;

export const locationChangeSchema = z
  .object({
    dataCenter: z.string().nullable().meta({ description: "Data centre it moved to; null: not known." }),
    city: z.string().nullable().meta({ description: "City it moved to; null: not known." }),
    previousDataCenter: z.string().nullable().meta({ description: "Data centre it left; null: not known." }),
    previousCity: z.string().nullable().meta({ description: "City it left; null: not known." }),
    detectedAt: timeSchema.meta({ description: "First observation at the new place, UTC." }),
  })
  .meta({ id: "LocationChange", description: "One move of a node to another data centre or city." });

/** Where a validator's node is and was (endpoint 7). */
export const locationSchema = z
  .object({
    current: z
      .object({
        ...placeSchema.shape,
        asn: countSchema.nullable().meta({ description: "Number of the autonomous system; null: not known." }),
        asnOrganization: z
          .string()
          .nullable()
          .meta({ description: "Organisation that the autonomous system is registered to; null: not known." }),
      })
      .meta({ description: "Where the node is announced now." }),
    changes: z
      .array(locationChangeSchema)
      .max(LOCATION_CHANGES_MAX)
      .meta({ description: "The latest moves, newest first; the first place is none." }),
  })
  .meta({ id: "Location", description: "Where a validator's node is and was, by the address it announces in gossip." });

export type Location = z.infer<typeof locationSchema>;
export type LocationChange = z.infer<typeof locationChangeSchema>;
