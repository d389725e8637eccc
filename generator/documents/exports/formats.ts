import { stringify } from "csv-stringify/sync";
import type { SchemaElement } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import type { CellType, ExportColumn } from "../../contract/export.ts";

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

/**
 * A table as CSV (RFC 4180): UTF-8 without a byte order mark, a header line, lines that end in CR LF, null an empty field.
 *
 * A spreadsheet takes a field that begins with = + - @ or a tab for a formula (OWASP, «CSV Injection»). No text that
 * anybody outside can choose is in a table: keys, identifiers, words of our own, times and numbers. So nothing needs to be
 * altered or quoted for that, and a minus begins only numbers.
 */
export function toCsv<Row>({ columns, rows }: Table<Row>): Uint8Array {
  const header = columns.map(({ name }) => name);
  // As JSON spells it: `true`, `7.25`; lamports in all their digits.
  const lines = rows.map((row) => columns.map(({ toCell }) => String(toCell(row) ?? "")));
  return new TextEncoder().encode(stringify([header, ...lines], { record_delimiter: "windows" }));
}

/** Rows that are compressed together, and that a reader has in memory at a time. */
const ROW_GROUP_ROWS = 100_000;

/** Physical and annotated type of each kind of cell, in the format's own words. */
const PARQUET_TYPES = {
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  int64: { type: "INT64" },
  uint64: { type: "INT64", converted_type: "UINT_64" },
  double: { type: "DOUBLE" },
  boolean: { type: "BOOLEAN" },
  time: { type: "INT64", converted_type: "TIMESTAMP_MILLIS" },
} as const satisfies Record<CellType, Partial<SchemaElement>>;

/**
 * A table as Parquet, its columns compressed with Snappy: the codec that every reader has, and that needs no native code
 * here. No time and no chance is in it: equal tables give equal bytes.
 *
 * Of a table without rows the library writes a file without row groups, which the format allows; some readers refuse it.
 */
export function toParquet<Row>({ columns, rows }: Table<Row>): Uint8Array {
  const columnData = columns.map(({ name, type, toCell }) => ({
    name,
    data: rows.map((row) => toStored(type, toCell(row))),
  }));
  const elements = columns.map(({ name, type, isNullable }): SchemaElement => ({
    name,
    ...PARQUET_TYPES[type],
    repetition_type: isNullable ? "OPTIONAL" : "REQUIRED",
  }));
  const schema: SchemaElement[] = [{ name: "root", num_children: columns.length }, ...elements];
  return new Uint8Array(parquetWriteBuffer({ columnData, schema, codec: "SNAPPY", rowGroupSize: ROW_GROUP_ROWS }));
}

/** 64-bit integers are written from bigint. */
function toStored(type: CellType, cell: Cell): Cell {
  if (cell === null) return null;
  if (type === "time") return BigInt(Date.parse(String(cell)));
  return type === "int64" ? BigInt(cell) : cell;
}
