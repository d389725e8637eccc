import { z } from "zod";
import { changeSchema, editionSchema, headSchema } from "./change.ts";
import { eventSchema, severitySchema } from "./event.ts";
import { eventValidatorSchema } from "./event-validators.ts";
import { exportFileSchema } from "./export.ts";
import {
  commissionPointSchema,
  locationSchema,
  stakePointSchema,
  uptimeDaySchema,
} from "./history.ts";
import { concentrationSchema, rugsGlobalSchema, rugsPerEpochSchema } from "./stats.ts";
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

// The documents with their envelopes, a schema each. The rows of OBJECTS name them.

const latestEpoch = countSchema
  .nullable()
  .meta({ description: "The newest tracked epoch; null: none yet." });
const total = { total: countSchema.meta({ description: "Number of rows in `data`." }) };
const ofValidator = {
  votePubkey: pubkeySchema.meta({ description: "The requested vote account." }),
};

export const validatorsDocumentSchema = envelopeOf(z.array(validatorSchema), {
  page: z.int().min(1).meta({ description: "Number of this page." }),
  limit: z.int().min(1).max(100).meta({ description: "Validators on a page." }),
  total: countSchema.meta({ description: "Number of validators on all pages." }),
  totalPages: countSchema.meta({ description: "Number of pages at this limit." }),
  networkStake: stakeSchema.meta({ description: "Active stake of all listed validators." }),
  snapshotAt: timeSchema
    .nullable()
    .meta({ description: "Time of the snapshot, UTC; null: none yet." }),
});

export const validatorDocumentSchema = envelopeOf(profileSchema, {});

export const validatorEventsDocumentSchema = envelopeOf(z.array(eventSchema), {
  ...total,
  ...ofValidator,
});

export const commissionHistoryDocumentSchema = envelopeOf(z.array(commissionPointSchema), {
  ...total,
  ...ofValidator,
});

export const stakeHistoryDocumentSchema = envelopeOf(z.array(stakePointSchema), {
  ...total,
  ...ofValidator,
});

export const uptimeDocumentSchema = envelopeOf(z.array(uptimeDaySchema), {
  ...ofValidator,
  daysTracked: countSchema.meta({ description: "Days in this answer." }),
  overallUptimePercent: percentSchema.meta({
    description: "Uptime over these days, percent, two decimals.",
  }),
  uptimeChecks: countSchema.meta({ description: "Checks of these days." }),
  delinquentChecks: countSchema.meta({
    description: "Checks that found the validator delinquent.",
  }),
});

export const locationDocumentSchema = envelopeOf(locationSchema, ofValidator);

export const eventsDocumentSchema = envelopeOf(z.array(eventSchema), {
  ...total,
  latestEpoch,
  epochs: z
    .int()
    .min(1)
    .max(50)
    .meta({ description: "How many of the newest epochs this answer covers." }),
  severity: severitySchema.nullable().meta({ description: "The requested severity; null: all." }),
  validators: z
    .array(eventValidatorSchema)
    .meta({ description: "The validators of these events, most stake first." }),
});

export const newestChangesDocumentSchema = envelopeOf(z.array(changeSchema), {
  edition: editionSchema,
  head: headSchema,
});

export const changeSegmentDocumentSchema = envelopeOf(z.array(changeSchema), {
  edition: editionSchema,
  segment: z.int().min(1),
});

export const epochEventsDocumentSchema = envelopeOf(z.array(eventSchema), {
  epoch: countSchema.meta({ description: "The requested epoch." }),
  ...total,
  uniqueValidators: countSchema.meta({ description: "Number of validators with these events." }),
});

export const rugsPerEpochDocumentSchema = envelopeOf(z.array(rugsPerEpochSchema), {
  latestEpoch,
  epochs: z.int().min(1).max(100).meta({ description: "Epochs on a page." }),
  offset: countSchema.meta({
    description: "Epochs between the newest one and the end of this page.",
  }),
  total: countSchema.meta({ description: "Number of tracked epochs on all pages." }),
  global: rugsGlobalSchema,
  standing: standingRugsSchema,
});

export const stakeConcentrationDocumentSchema = envelopeOf(concentrationSchema, {});

export const statusDocumentSchema = envelopeOf(statusSchema, {});

export const exportsDocumentSchema = envelopeOf(z.array(exportFileSchema), total);
