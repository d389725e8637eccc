import { stringify } from "csv-stringify/sync";
import { parquetWriteBuffer } from "hyparquet-writer";
import type { CellType } from "../../contract/export-tables.ts";
import type { Cell, Table } from "./table.ts";

/** Of more rows at once, csv-stringify holds too many texts. */
const CSV_ROWS = 1_000;

/**
 * RFC 4180. A text that a spreadsheet would run as a formula, because it begins with = + - @ or a
 * tab, gets an apostrophe before it (OWASP, “CSV Injection”): outsiders choose names.
 */
export function toCsv({ columns, rows }: Table): Uint8Array {
  const parts = [toLines([columns.map(({ name }) => name)])];
  for (let start = 0; start < rows.length; start += CSV_ROWS)
    parts.push(toLines(rows.slice(start, start + CSV_ROWS)));
  return Buffer.concat(parts);
}

function toLines(rows: Table["rows"]): Buffer {
  const text = stringify([...rows], {
    record_delimiter: "windows",
    escape_formulas: true,
    cast: { boolean: String },
  });
  return Buffer.from(text);
}

type SchemaElement = NonNullable<Parameters<typeof parquetWriteBuffer>[0]["schema"]>[number];

/** Rows that a reader holds in memory at once. */
const ROW_GROUP_ROWS = 100_000;

const PARQUET_TYPES = {
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  int64: { type: "INT64" },
  uint64: { type: "INT64", converted_type: "UINT_64" },
  double: { type: "DOUBLE" },
  date: { type: "INT32", converted_type: "DATE" },
  boolean: { type: "BOOLEAN" },
  // Without the logical type, DuckDB reads a time of no zone.
  time: {
    type: "INT64",
    converted_type: "TIMESTAMP_MILLIS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
  },
} as const satisfies Record<CellType, Partial<SchemaElement>>;

/**
 * Every reader supports Snappy, and it needs no native code. Equal tables give
 * equal bytes. Some readers refuse an empty table, which has no row groups.
 */
export function toParquet({ columns, rows }: Table): Uint8Array {
  const columnData = columns.map(({ name, type }, index) => ({
    name,
    data: rows.map((row) => toStored(type, row[index] ?? null)),
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

const DAY_MILLISECONDS = 86_400_000;

/** The library writes 64-bit integers from bigint. */
function toStored(type: CellType, cell: Cell): Cell {
  if (cell === null) return null;
  if (type === "time") return BigInt(Date.parse(String(cell)));
  if (type === "date") return Date.parse(String(cell)) / DAY_MILLISECONDS;
  return type === "int64" || type === "uint64" ? BigInt(cell) : cell;
}
