import { z } from "zod";
import { changeSchema, editionSchema, headSchema } from "./change.ts";
import { epochRowSchema } from "./epochs.ts";
import { eventSchema, listedEventSchema, severitySchema } from "./event.ts";
import { eventValidatorSchema } from "./event-validators.ts";
import { exportFileSchema } from "./export.ts";
import {
  commissionPointSchema,
  locationSchema,
  stakePointSchema,
  uptimeDaySchema,
} from "./history.ts";
import { rawTransactionSchema } from "./raw-transaction.ts";
import { concentrationSchema, rugsGlobalSchema, rugsPerEpochSchema } from "./stats.ts";
import { keepingSchema } from "./keeping.ts";
import { standingRugsSchema } from "./standing-rugs.ts";
import { statusSchema } from "./status.ts";
import { profileSchema, validatorSchema } from "./validator.ts";
import {
  countSchema,
  envelopeOf,
  percentSchema,
  pubkeySchema,
  stakeSchema,
  timeSchema,
} from "./values.ts";

// A schema for each document, with its envelope. The rows of OBJECTS name them.

const latestEpoch = countSchema
  .nullable()
  .meta({ description: "The newest tracked epoch; null: none yet." });
const total = { total: countSchema.meta({ description: "Number of rows in `data`." }) };
const ofValidator = {
  votePubkey: pubkeySchema.meta({ description: "The requested vote account." }),
};

/** Answer of `/validators`. */
export const validatorsDocumentSchema = envelopeOf(z.array(validatorSchema), {
  page: z.int().min(1).meta({ description: "Number of this page." }),
  limit: z.int().min(1).max(100).meta({ description: "Validators on a page." }),
  total: countSchema.meta({ description: "Number of validators on all pages." }),
  totalPages: countSchema.meta({ description: "Number of pages at this limit." }),
  networkStake: stakeSchema.meta({ description: "Active stake of all listed validators." }),
  listVersion: z
    .string()
    .meta({
      description: "Changes whenever a row does. Pages with the same listVersion form one list.",
    }),
  unknown: z
    .array(pubkeySchema)
    .optional()
    .meta({ description: "With `votePubkeys`: those of them that are not in the list." }),
  snapshotAt: timeSchema
    .nullable()
    .meta({ description: "Time of the snapshot, UTC; null: none yet." }),
});

/** Answer of `/validators/{votePubkey}`. */
export const validatorDocumentSchema = envelopeOf(profileSchema, {});

/** Answer of `/validators/{votePubkey}/events`. */
export const validatorEventsDocumentSchema = envelopeOf(z.array(eventSchema), {
  ...total,
  ...ofValidator,
});

/** Answer of `/validators/{votePubkey}/transactions`. */
export const validatorTransactionsDocumentSchema = envelopeOf(z.array(rawTransactionSchema), {
  ...total,
  ...ofValidator,
});

/** Answer of `/validators/{votePubkey}/commission-history`. */
export const commissionHistoryDocumentSchema = envelopeOf(z.array(commissionPointSchema), {
  ...total,
  ...ofValidator,
});

/** Answer of `/validators/{votePubkey}/stake-history`. */
export const stakeHistoryDocumentSchema = envelopeOf(z.array(stakePointSchema), {
  ...total,
  ...ofValidator,
});

/** Answer of `/validators/{votePubkey}/uptime`. */
export const uptimeDocumentSchema = envelopeOf(z.array(uptimeDaySchema), {
  ...ofValidator,
  known: z
    .boolean()
    .meta({ description: "false: no validator has this vote account, and all counts are 0." }),
  daysTracked: countSchema.meta({ description: "Days in this answer." }),
  overallUptimePercent: percentSchema.meta({
    description: "Uptime over these days, percent, two decimals.",
  }),
  uptimeChecks: countSchema.meta({ description: "Checks of these days." }),
  delinquentChecks: countSchema.meta({
    description: "Checks that found the validator delinquent.",
  }),
});

/** Answer of `/validators/{votePubkey}/location`. */
export const locationDocumentSchema = envelopeOf(locationSchema, ofValidator);

/** Answer of `/events`. */
export const eventsDocumentSchema = eventsDocumentOf(eventSchema);

/** Answer of `/events` that may be compact. */
export const listedEventsDocumentSchema = eventsDocumentOf(listedEventSchema);

/**
 * The object `changes.json`: the newest segment of changes. The proxy answers `/changes` from it.
 */
export const newestChangesDocumentSchema = envelopeOf(z.array(changeSchema), {
  edition: editionSchema,
  head: headSchema,
});

/**
 * An object `changes/SEGMENT.json`: one segment of changes. The proxy answers `/changes` from it.
 */
export const changeSegmentDocumentSchema = envelopeOf(z.array(changeSchema), {
  edition: editionSchema,
  segment: z.int().min(1),
});

/** Answer of `/epochs`. */
export const epochsDocumentSchema = envelopeOf(z.array(epochRowSchema), { ...total, latestEpoch });

/** Answer of `/epochs/{epoch}/events`: the RUG events of one epoch. */
export const epochEventsDocumentSchema = envelopeOf(z.array(eventSchema), {
  epoch: countSchema.meta({ description: "The requested epoch." }),
  ...total,
  uniqueValidators: countSchema.meta({ description: "Number of validators with these events." }),
});

/** Answer of `/stats/rugs-per-epoch`. */
export const rugsPerEpochDocumentSchema = envelopeOf(z.array(rugsPerEpochSchema), {
  latestEpoch,
  epochs: z.int().min(1).max(100).meta({ description: "Epochs on a page." }),
  offset: countSchema.meta({
    description: "Epochs between the newest one and the end of this page.",
  }),
  total: countSchema.meta({ description: "Number of tracked epochs on all pages." }),
  global: rugsGlobalSchema,
  standing: standingRugsSchema,
  keeping: keepingSchema,
});

/** Answer of `/stats/stake-concentration`. */
export const stakeConcentrationDocumentSchema = envelopeOf(concentrationSchema, {});

/** Answer of `/status`. */
export const statusDocumentSchema = envelopeOf(statusSchema, {});

/** Answer of `/exports`. */
export const exportsDocumentSchema = envelopeOf(z.array(exportFileSchema), total);

function eventsDocumentOf<Item extends z.ZodType>(item: Item) {
  return envelopeOf(z.array(item), {
    ...total,
    latestEpoch,
    epochs: z
      .int()
      .min(1)
      .max(50)
      .meta({ description: "How many of the newest epochs this answer covers." }),
    severity: severitySchema
      .nullable()
      .meta({ description: "The requested severity; null: all, or several (`severities`)." }),
    severities: z
      .array(severitySchema)
      .optional()
      .meta({ description: "The requested severities; absent: all." }),
    validators: z
      .array(eventValidatorSchema)
      .meta({ description: "The validators of these events, most stake first." }),
  });
}
