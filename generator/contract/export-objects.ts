import { csvSchemaOf, parquetSchema } from "./export.ts";
import { noExportOfMonth, nothingClosed, notExported, unpublished } from "./missing.ts";
import type { ObjectKindRow } from "./object-kind.ts";

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
  shows: ["closedEpochs", "costs"],
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

/** The tables to download: rows of OBJECTS, each table in both formats. */
export const EXPORT_OBJECTS = {
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
} as const;

type Exported = Required<Pick<ObjectKindRow, "table" | "path" | "named" | "shows" | "whenMissing">>;

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
