import { z } from "zod";
import { countSchema, timeSchema } from "./values.ts";

/** Fewest validators that make an incident. */
export const INCIDENT_VALIDATORS_MIN = 10;
/** How many times as many changes as in an average hour before make an incident. */
export const INCIDENT_TIMES_AVERAGE = 3;
/** Hours before an incident over which that average is taken. */
export const INCIDENT_COMPARED_HOURS = 24;

/** The `incident` of events: changes of many validators at once, which the site shows as one. */
export const incidentSchema = z
  .object({
    id: z
      .string()
      .meta({
        description:
          "Id of the incident, the same on all its members: the id of the member that was " +
          "confirmed first. It stays while members arrive. It can change only if Rugwatch " +
          "learns late of a change within that hour, or takes one back.",
      }),
    validators: countSchema.meta({
      description: "Validators in the incident; a filter does not change the number.",
    }),
    changes: countSchema.meta({
      description: "Events in the incident: a validator may have several.",
    }),
    firstAt: timeSchema.meta({
      description:
        "Start of the incident, UTC: the earliest blockTime of a member or, without a " +
        "transaction, previousSeenAt.",
    }),
    lastAt: timeSchema.meta({
      description:
        "End of the incident, UTC: the latest blockTime of a member or, without a " +
        "transaction, createdAt.",
    }),
  })
  .meta({
    id: "Incident",
    description:
      `An incident: at least ${INCIDENT_VALIDATORS_MIN} validators raised their inflation commission within an hour, or all ` +
      `lowered it, and ${INCIDENT_TIMES_AVERAGE} times as many as in an average hour of the ${INCIDENT_COMPARED_HOURS} hours before.`,
  });

/** Changes of many validators at once. */
export type Incident = z.infer<typeof incidentSchema>;
