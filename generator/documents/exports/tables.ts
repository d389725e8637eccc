import type { ExportTable } from "../../contract/export-tables.ts";
import type { DocumentOf } from "../../contract/objects.ts";
import type { SnapshotIndex } from "../../contract/snapshot-index.ts";
import type { View } from "../view.ts";
import { toCostsTable } from "./costs.ts";
import { toEpochsTable } from "./epochs.ts";
import { toEventsTable } from "./events.ts";
import { toHistoryTable } from "./history.ts";
import { toLocationsTable } from "./locations.ts";
import { toRugsTable } from "./rugs.ts";
import type { Table } from "./table.ts";
import { toUptimeTable } from "./uptime.ts";
import { toValidatorsTable } from "./validators.ts";

/** What tables are made of. */
export interface ExportSources {
  view: View;
  index: () => SnapshotIndex;
  epochs: () => DocumentOf<"epochs">;
}

/** The name of the file; a table of which there is one file needs none. */
export interface ExportNames {
  epoch: number;
  month: string;
}

/** Makes the table of an export; null: there is none yet. */
export const TABLES: Record<
  ExportTable,
  (sources: ExportSources, names: Partial<ExportNames>) => Table | null
> = {
  events: ({ view }) => toEventsTable(view),
  history: ({ view }, { epoch = 0 }) => toHistoryTable(view, epoch),
  validators: ({ index }) => toValidatorsTable(index()),
  locations: ({ view }) => toLocationsTable(view),
  uptime: ({ view }, { month = "" }) => toUptimeTable(view, month),
  epochs: ({ epochs }) => toEpochsTable(epochs().data),
  costs: ({ view }) => toCostsTable(view),
  rugs: ({ view }) => toRugsTable(view),
};
