import { parquetWriteBuffer, type ColumnSource } from "hyparquet-writer";
import type { SchemaElement } from "hyparquet";
import type { CellType } from "../../contract/export.ts";
import type { Cell, Column, Table } from "./table.ts";

/** Rows that are compressed together, and that a reader has in memory at a time. */
const ROW_GROUP_ROWS = 100_000;

/** Physical and annotated type of each kind of cell, in the format's own words. */
const TYPES = {
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
  const columnData = columns.map((column) => toSource(column, rows));
  const schema = toSchema(columns);
  return new Uint8Array(parquetWriteBuffer({ columnData, schema, codec: "SNAPPY", rowGroupSize: ROW_GROUP_ROWS }));
}

function toSchema<Row>(columns: readonly Column<Row>[]): SchemaElement[] {
  const elements = columns.map(({ name, type, isNullable }): SchemaElement => ({
    name,
    ...TYPES[type],
    repetition_type: isNullable ? "OPTIONAL" : "REQUIRED",
  }));
  return [{ name: "root", num_children: columns.length }, ...elements];
}

function toSource<Row>({ name, type, toCell }: Column<Row>, rows: readonly Row[]): ColumnSource {
  return { name, data: rows.map((row) => toStored(type, toCell(row))) };
}

/** 64-bit integers are written from bigint. */
function toStored(type: CellType, cell: Cell): Cell {
  if (cell === null) return null;
  if (type === "time") return BigInt(Date.parse(String(cell)));
  return type === "int64" ? BigInt(cell) : cell;
}
