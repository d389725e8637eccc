import type { z } from "zod";
import type { CacheClass } from "./cache.ts";
import {
  changeSegmentDocumentSchema,
  commissionHistoryDocumentSchema,
  epochEventsDocumentSchema,
  epochsDocumentSchema,
  eventsDocumentSchema,
  exportsDocumentSchema,
  locationDocumentSchema,
  newestChangesDocumentSchema,
  rugsPerEpochDocumentSchema,
  stakeConcentrationDocumentSchema,
  stakeHistoryDocumentSchema,
  statusDocumentSchema,
  uptimeDocumentSchema,
  validatorDocumentSchema,
  validatorEventsDocumentSchema,
  validatorsDocumentSchema,
} from "./document-schemas.ts";
import { csvSchemaOf, parquetSchema } from "./export.ts";
import type { ExportTable } from "./export-tables.ts";
import { atomFeedSchema, jsonFeedSchema, type Feed } from "./feed.ts";
import { FORMS, type Form } from "./forms.ts";
import {
  emptyFeed,
  noEpochEvents,
  noEpochs,
  noExportOfMonth,
  noUptime,
  nothingClosed,
  nothingOfValidator,
  notExported,
  unknownLocation,
  unknownValidator,
  unpublished,
  type Missing,
} from "./missing.ts";
import { snapshotIndexSchema } from "./snapshot-index.ts";
import { badgeSchema, pageSchema, sitemapSchema } from "./share.ts";
import { walletShardSchema, walletsSchema } from "./wallets.ts";

/** The names that objects of a kind need beside the network. */
export interface ObjectNames {
  none: Record<string, never>;
  votePubkey: { votePubkey: string };
  epoch: { epoch: number };
  feed: { feed: Feed };
  segment: { segment: number };
  /** `YYYY-MM`, UTC. */
  month: { month: string };
  /** A name that `toWalletShard` returns. */
  shard: { shard: string };
}

/**
 * What objects show. When it differs, the objects of the validators or epochs concerned are
 * rendered again. `incidents`: events that belong to another incident; `epochs`: lists of an
 * epoch's events; `closedEpochs`: exports; `epochList`: slots, times, stake and inflation of epochs;
 * `anything`: any of these, or the time of a snapshot.
 */
export type Shown =
  | "profiles"
  | "events"
  | "prices"
  | "histories"
  | "uptime"
  | "incidents"
  | "epochs"
  | "closedEpochs"
  | "epochList"
  | "changes"
  | "anything";

interface ObjectKindRow {
  form: Form;
  /** Path below `FOLDER/NETWORK/`, with the names in braces. The form gives folder and ending. */
  path: string;
  named: keyof ObjectNames;
  /** Whether an object exists for each such name that the index knows. */
  ofEachName: boolean;
  cache: CacheClass;
  /**
   * When a publication puts it: a list after the objects it points at, the index after all lists,
   * exports last, because news must not wait for them. null: publications do not put it.
   */
  stage: number | null;
  /** What it shows; empty if publications do not put it. */
  shows: readonly Shown[];
  /** Whether an operation answers with it. */
  hasOperation: boolean;
  /**
   * What is answered while it does not exist. null: no operation answers with the object itself,
   * because the proxy makes its answers from the index or from parts of objects.
   */
  whenMissing: Missing | null;
  schema: z.ZodType;
  /** Only of an export: whose columns it has. */
  table?: ExportTable;
}

const EVENTS = {
  table: "events",
  path: "events",
  named: "none",
  shows: ["closedEpochs"],
  whenMissing: nothingClosed,
} as const;

const COSTS = {
  table: "costs",
  path: "costs",
  named: "none",
  shows: ["closedEpochs", "prices"],
  whenMissing: nothingClosed,
} as const;

const RUGS = {
  table: "rugs",
  path: "rugs",
  named: "none",
  shows: ["anything"],
  whenMissing: unpublished,
} as const;

const VALIDATORS = {
  table: "validators",
  path: "validators",
  named: "none",
  shows: ["anything"],
  whenMissing: unpublished,
} as const;

const LOCATIONS = {
  table: "locations",
  path: "locations",
  named: "none",
  // It begins with the first epoch.
  shows: ["profiles", "epochList"],
  whenMissing: unpublished,
} as const;

const EPOCHS = {
  table: "epochs",
  path: "epochs",
  named: "none",
  shows: ["epochList"],
  whenMissing: unpublished,
} as const;

const HISTORY = {
  table: "history",
  path: "history/{epoch}",
  named: "epoch",
  shows: ["closedEpochs"],
  whenMissing: notExported,
} as const;

const UPTIME = {
  table: "uptime",
  path: "uptime/{month}",
  named: "month",
  shows: ["uptime"],
  whenMissing: noExportOfMonth,
} as const;

/**
 * Every kind of object in the public store. The document of `/api/v1/PATH?network=N`, all other
 * parameters at their defaults, is the object `api/v1/N/PATH.json`. For other forms the public
 * address is the key itself, except for pages.
 */
export const OBJECTS = {
  validators: {
    form: "document",
    path: "validators",
    named: "none",
    ofEachName: false,
    cache: "snapshot",
    stage: 2,
    shows: ["anything"],
    hasOperation: true,
    whenMissing: null,
    schema: validatorsDocumentSchema,
  },
  validator: {
    form: "document",
    path: "validators/{votePubkey}",
    named: "votePubkey",
    ofEachName: true,
    cache: "snapshot",
    stage: 1,
    shows: ["profiles", "events", "prices", "histories"],
    hasOperation: true,
    whenMissing: unknownValidator,
    schema: validatorDocumentSchema,
  },
  validatorEvents: {
    form: "document",
    path: "validators/{votePubkey}/events",
    named: "votePubkey",
    ofEachName: true,
    cache: "events",
    stage: 1,
    shows: ["events", "prices", "incidents"],
    hasOperation: true,
    whenMissing: nothingOfValidator,
    schema: validatorEventsDocumentSchema,
  },
  commissionHistory: {
    form: "document",
    path: "validators/{votePubkey}/commission-history",
    named: "votePubkey",
    ofEachName: true,
    cache: "snapshot",
    stage: 1,
    shows: ["events", "histories"],
    hasOperation: true,
    whenMissing: nothingOfValidator,
    schema: commissionHistoryDocumentSchema,
  },
  stakeHistory: {
    form: "document",
    path: "validators/{votePubkey}/stake-history",
    named: "votePubkey",
    ofEachName: true,
    cache: "snapshot",
    stage: 1,
    shows: ["histories"],
    hasOperation: true,
    whenMissing: nothingOfValidator,
    schema: stakeHistoryDocumentSchema,
  },
  uptime: {
    form: "document",
    path: "validators/{votePubkey}/uptime",
    named: "votePubkey",
    ofEachName: true,
    cache: "snapshot",
    stage: 1,
    shows: ["uptime"],
    hasOperation: true,
    whenMissing: noUptime,
    schema: uptimeDocumentSchema,
  },
  location: {
    form: "document",
    path: "validators/{votePubkey}/location",
    named: "votePubkey",
    ofEachName: false,
    cache: "snapshot",
    stage: 1,
    shows: ["profiles"],
    hasOperation: true,
    whenMissing: unknownLocation,
    schema: locationDocumentSchema,
  },
  events: {
    form: "document",
    path: "events",
    named: "none",
    ofEachName: false,
    cache: "events",
    stage: 2,
    shows: ["anything"],
    hasOperation: true,
    whenMissing: null,
    schema: eventsDocumentSchema,
  },
  newestChanges: {
    form: "document",
    path: "changes",
    named: "none",
    ofEachName: false,
    cache: "events",
    stage: 3,
    shows: ["changes"],
    hasOperation: false,
    whenMissing: null,
    schema: newestChangesDocumentSchema,
  },
  changeSegment: {
    form: "document",
    path: "changes/{segment}",
    named: "segment",
    ofEachName: false,
    cache: "snapshot",
    stage: 2,
    shows: ["changes"],
    hasOperation: false,
    whenMissing: null,
    schema: changeSegmentDocumentSchema,
  },
  epochs: {
    form: "document",
    path: "epochs",
    named: "none",
    ofEachName: false,
    cache: "snapshot",
    stage: 2,
    shows: ["epochList"],
    hasOperation: true,
    whenMissing: noEpochs,
    schema: epochsDocumentSchema,
  },
  epochEvents: {
    form: "document",
    path: "epochs/{epoch}/events",
    named: "epoch",
    ofEachName: true,
    cache: "events",
    stage: 2,
    shows: ["epochs"],
    hasOperation: true,
    whenMissing: noEpochEvents,
    schema: epochEventsDocumentSchema,
  },
  rugsPerEpoch: {
    form: "document",
    path: "stats/rugs-per-epoch",
    named: "none",
    ofEachName: false,
    cache: "events",
    stage: 2,
    shows: ["anything"],
    hasOperation: true,
    whenMissing: null,
    schema: rugsPerEpochDocumentSchema,
  },
  stakeConcentration: {
    form: "document",
    path: "stats/stake-concentration",
    named: "none",
    ofEachName: false,
    cache: "snapshot",
    stage: 2,
    shows: ["anything"],
    hasOperation: true,
    whenMissing: unpublished,
    schema: stakeConcentrationDocumentSchema,
  },
  status: {
    form: "document",
    path: "status",
    named: "none",
    ofEachName: false,
    cache: "status",
    stage: null,
    shows: [],
    hasOperation: true,
    whenMissing: unpublished,
    schema: statusDocumentSchema,
  },
  wallets: {
    form: "document",
    path: "wallets",
    named: "none",
    ofEachName: false,
    cache: "snapshot",
    stage: null,
    shows: [],
    hasOperation: true,
    whenMissing: unpublished,
    schema: walletsSchema,
  },
  /** Only the proxy reads it: from it answers about single wallets are made. */
  walletShard: {
    form: "document",
    path: "wallets/{shard}",
    named: "shard",
    ofEachName: true,
    cache: "snapshot",
    stage: null,
    shows: [],
    hasOperation: false,
    whenMissing: null,
    schema: walletShardSchema,
  },
  index: {
    form: "document",
    path: "index",
    named: "none",
    ofEachName: false,
    cache: "events",
    stage: 3,
    shows: ["anything"],
    hasOperation: false,
    whenMissing: null,
    schema: snapshotIndexSchema,
  },
  eventsCsv: exportOf("csv", EVENTS),
  eventsParquet: exportOf("parquet", EVENTS),
  costsCsv: exportOf("csv", COSTS),
  costsParquet: exportOf("parquet", COSTS),
  rugsCsv: exportOf("csv", RUGS),
  rugsParquet: exportOf("parquet", RUGS),
  validatorsCsv: exportOf("csv", VALIDATORS),
  validatorsParquet: exportOf("parquet", VALIDATORS),
  locationsCsv: exportOf("csv", LOCATIONS),
  locationsParquet: exportOf("parquet", LOCATIONS),
  epochsCsv: exportOf("csv", EPOCHS),
  epochsParquet: exportOf("parquet", EPOCHS),
  historyCsv: exportOf("csv", HISTORY),
  historyParquet: exportOf("parquet", HISTORY),
  uptimeCsv: exportOf("csv", UPTIME),
  uptimeParquet: exportOf("parquet", UPTIME),
  exports: {
    form: "document",
    path: "exports",
    named: "none",
    ofEachName: false,
    cache: "snapshot",
    stage: 5,
    shows: ["anything"],
    hasOperation: true,
    whenMissing: unpublished,
    schema: exportsDocumentSchema,
  },
  atomFeed: {
    form: "atomFeed",
    path: "{feed}",
    named: "feed",
    ofEachName: false,
    cache: "events",
    stage: 2,
    shows: ["events"],
    hasOperation: true,
    whenMissing: unpublished,
    schema: atomFeedSchema,
  },
  jsonFeed: {
    form: "jsonFeed",
    path: "{feed}",
    named: "feed",
    ofEachName: false,
    cache: "events",
    stage: 2,
    shows: ["events"],
    hasOperation: true,
    whenMissing: unpublished,
    schema: jsonFeedSchema,
  },
  /** Exists only for validators that something has happened to; most have none. */
  validatorAtomFeed: {
    form: "atomFeed",
    path: "validators/{votePubkey}",
    named: "votePubkey",
    ofEachName: false,
    cache: "events",
    stage: 1,
    shows: ["events"],
    hasOperation: true,
    whenMissing: emptyFeed,
    schema: atomFeedSchema,
  },
  validatorJsonFeed: {
    form: "jsonFeed",
    path: "validators/{votePubkey}",
    named: "votePubkey",
    ofEachName: false,
    cache: "events",
    stage: 1,
    shows: ["events"],
    hasOperation: true,
    whenMissing: emptyFeed,
    schema: jsonFeedSchema,
  },
  badge: {
    form: "badge",
    path: "{votePubkey}",
    named: "votePubkey",
    ofEachName: false,
    cache: "events",
    stage: 1,
    shows: ["profiles", "events", "prices", "histories"],
    hasOperation: true,
    whenMissing: unknownValidator,
    schema: badgeSchema,
  },
  /** The page that the site answers at `/validators/{votePubkey}`. */
  page: {
    form: "page",
    path: "{votePubkey}",
    named: "votePubkey",
    ofEachName: false,
    cache: "events",
    stage: 1,
    shows: ["profiles", "events", "prices", "histories"],
    hasOperation: false,
    whenMissing: unknownValidator,
    schema: pageSchema,
  },
  sitemap: {
    form: "sitemap",
    path: "sitemap",
    named: "none",
    ofEachName: false,
    cache: "snapshot",
    stage: 2,
    shows: ["anything"],
    hasOperation: true,
    whenMissing: unpublished,
    schema: sitemapSchema,
  },
} as const satisfies Record<string, ObjectKindRow>;

interface Exported {
  table: ExportTable;
  path: string;
  named: keyof ObjectNames;
  shows: readonly Shown[];
  whenMissing: Missing;
}

/** A table in one of the formats. */
function exportOf<Form extends "csv" | "parquet", Row extends Exported>(form: Form, row: Row) {
  const own = {
    form,
    ofEachName: false,
    cache: "snapshot",
    stage: 4,
    hasOperation: true,
    schema: form === "csv" ? csvSchemaOf(row.table) : parquetSchema,
  } as const;
  return { ...row, ...own };
}

/** Key of a kind in {@link OBJECTS}. */
export type ObjectKind = keyof typeof OBJECTS;

/** Kinds with an operation of their own. Parts of the others appear in answers of the proxy. */
export type OperationKind = {
  [Kind in ObjectKind]: (typeof OBJECTS)[Kind]["hasOperation"] extends true ? Kind : never;
}[ObjectKind];

/** Kinds whose objects are the answers of an operation as they are. */
export type AnsweredKind = {
  [Kind in OperationKind]: (typeof OBJECTS)[Kind]["whenMissing"] extends null ? never : Kind;
}[OperationKind];

/** The content of a kind's objects, envelope included. */
export type DocumentOf<Kind extends ObjectKind> = z.infer<(typeof OBJECTS)[Kind]["schema"]>;

/** The names that an object of a kind needs beside the network. */
export type NamesOf<Kind extends ObjectKind> = ObjectNames[(typeof OBJECTS)[Kind]["named"]];

/** Names one object of a network. */
export type ObjectReference = {
  [Kind in ObjectKind]: { kind: Kind; names: NamesOf<Kind> };
}[ObjectKind];

/** Content-Type of documents and of errors. */
export const CONTENT_TYPE = FORMS.document.contentType;
