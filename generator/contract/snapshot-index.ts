import { z } from "zod";
import { epochReadingSchema } from "./epoch.ts";
import { eventSchema } from "./event.ts";
import { searchResultSchema } from "./search.ts";
import { rugsGlobalSchema, rugsPerEpochSchema } from "./stats.ts";
import { NO_STANDING_RUGS, standingRugsSchema } from "./standing-rugs.ts";
import { networkSchema, type Network } from "./networks.ts";
import { countSchema, stakeSchema, timeSchema } from "./values.ts";
import { validatorSchema } from "./validator.ts";

/**
 * The object `index.json`, from which the proxy answers queries. One object, so that each answer
 * comes from one snapshot. It is not public: generator and proxy may change its shape together.
 */
export const snapshotIndexSchema = z.object({
  network: networkSchema,
  snapshotAt: timeSchema.nullable().meta({ description: "Time of the last accepted snapshot." }),
  latestEpoch: countSchema.nullable(),
  epoch: epochReadingSchema.nullable(),
  networkStake: stakeSchema,
  listVersion: z.string().meta({ description: "Of `validators`: changes whenever a row does." }),
  validators: z.array(validatorSchema).meta({ description: "Listed ones, by rank." }),
  unlisted: z
    .array(searchResultSchema)
    .meta({ description: "Known ones that left the list, by their last rank." }),
  events: z
    .array(eventSchema)
    .meta({
      description: "Of the newest 50 tracked epochs, as many as listEvents takes, newest first.",
    }),
  rugsPerEpoch: z
    .array(rugsPerEpochSchema)
    .meta({ description: "Every tracked epoch, oldest first." }),
  rugsGlobal: rugsGlobalSchema,
  standingRugs: standingRugsSchema,
});

/** What the proxy's queries need of one snapshot. */
export type SnapshotIndex = z.infer<typeof snapshotIndexSchema>;

/**
 * Returns the index of a network before its first publication, so that lists are empty rather than
 * errors.
 */
export function toEmptyIndex(network: Network): SnapshotIndex {
  const rugs = {
    totalRuggedValidators: 0,
    repeatOffenders: 0,
    epochsTracked: 0,
    commissionEvents: 0,
    mevEvents: 0,
  };
  return {
    network,
    snapshotAt: null,
    latestEpoch: null,
    epoch: null,
    networkStake: { lamports: "0", sol: 0 },
    listVersion: "",
    validators: [],
    unlisted: [],
    events: [],
    rugsPerEpoch: [],
    rugsGlobal: { ...rugs, peakEpoch: null, peakValidators: 0, averagePerEpoch: 0 },
    standingRugs: NO_STANDING_RUGS,
  };
}
