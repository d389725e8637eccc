import { z } from "zod";
import { placeSchema } from "./validator.ts";
import { countSchema, timeSchema } from "./values.ts";

/** Most recent changes of place a location document holds. */
export const LOCATION_CHANGES_MAX = 50;

export const locationChangeSchema = z.object({
  dataCenter: z.string().nullable(),
  city: z.string().nullable(),
  previousDataCenter: z.string().nullable(),
  previousCity: z.string().nullable(),
  detectedAt: timeSchema,
});

/** Where a validator's node is and was (endpoint 7). */
export const locationSchema = z
  .object({
    current: z.object({
      ...placeSchema.shape,
      asn: countSchema.nullable().meta({ description: "Number of the autonomous system." }),
      asnOrganization: z.string().nullable(),
    }),
    changes: z.array(locationChangeSchema).max(LOCATION_CHANGES_MAX).meta({ description: "Newest first." }),
  })
  .meta({ id: "Location" });

export type Location = z.infer<typeof locationSchema>;
export type LocationChange = z.infer<typeof locationChangeSchema>;
