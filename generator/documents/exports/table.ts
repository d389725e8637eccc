import { EXPORT_TABLES, type ColumnOf, type ExportColumn, type ExportTable } from "../../contract/export.ts";

/** What a cell can hold. Lamports are bigint; times ISO 8601 in UTC; null: not known. */
export type Cell = string | number | bigint | boolean | null;

/** One column of an export, whatever the format. */
export interface Column<Row> extends ExportColumn {
  name: string;
  toCell: (row: Row) => Cell;
}

/** What an export holds, before it is written in a format. */
export interface Table<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
}

/** What fills the columns of a table: a column of the contract that nothing fills does not compile. */
export type Cells<Name extends ExportTable, Row> = Record<ColumnOf<Name>, (row: Row) => Cell>;

/** The columns of a table in the contract's order. */
export function toColumns<Name extends ExportTable, Row>(table: Name, cells: Cells<Name, Row>): Column<Row>[] {
  const columns: Record<string, ExportColumn> = EXPORT_TABLES[table];
  return Object.entries(columns).map(([name, column]) => ({ name, ...column, toCell: cells[name as ColumnOf<Name>] }));
}
