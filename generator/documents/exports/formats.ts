import { stringify } from "csv-stringify/sync";
import { parquetWriteBuffer } from "hyparquet-writer";
import type { CellType, ExportColumn } from "../../contract/export.ts";

/** Lamports are bigint; times ISO 8601 in UTC. */
export type Cell = string | number | bigint | boolean | null;

/** A column of an export, with the function that takes its cell from a row. */
export interface Column<Row> extends ExportColumn {
  name: string;
  toCell: (row: Row) => Cell;
}

/** What both formats, CSV and Parquet, are written from. */
export interface Table<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
}

/**
 * RFC 4180.
 *
 * Spreadsheets run fields that begin with = + - @ or a tab as formulas (OWASP, “CSV
 * Injection”). Tables hold no text that outsiders choose; only numbers begin with a minus.
 */
export function toCsv<Row>({ columns, rows }: Table<Row>): Uint8Array {
  const header = columns.map(({ name }) => name);
  const lines = rows.map((row) => columns.map(({ toCell }) => String(toCell(row) ?? "")));
  return new TextEncoder().encode(stringify([header, ...lines], { record_delimiter: "windows" }));
}

type SchemaElement = NonNullable<Parameters<typeof parquetWriteBuffer>[0]["schema"]>[number];

/** Rows that a reader holds in memory at once. */
const ROW_GROUP_ROWS = 100_000;

const PARQUET_TYPES = {
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  int64: { type: "INT64" },
  uint64: { type: "INT64", converted_type: "UINT_64" },
  double: { type: "DOUBLE" },
  boolean: { type: "BOOLEAN" },
  time: { type: "INT64", converted_type: "TIMESTAMP_MILLIS" },
} as const satisfies Record<CellType, Partial<SchemaElement>>;

/**
 * Every reader supports Snappy, and it needs no native code. Equal tables give
 * equal bytes. Some readers refuse an empty table, which has no row groups.
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
  return new Uint8Array(
    parquetWriteBuffer({ columnData, schema, codec: "SNAPPY", rowGroupSize: ROW_GROUP_ROWS }),
  );
}

/** The library writes 64-bit integers from bigint. */
function toStored(type: CellType, cell: Cell): Cell {
  if (cell === null) return null;
  if (type === "time") return BigInt(Date.parse(String(cell)));
  return type === "int64" ? BigInt(cell) : cell;
}
