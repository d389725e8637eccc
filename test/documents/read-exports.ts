import { DataType, Precision, tableFromIPC, type Vector } from "apache-arrow";
import { parse } from "csv-parse/sync";
import { readParquet } from "parquet-wasm/node";
import {
  EXPORT_TABLES,
  type CellType,
  type ExportColumn,
  type ExportTable,
} from "../../generator/contract/export-tables.ts";

/** A row in the API's types; lamports as bigint. */
export type ExportRow = Record<string, string | number | bigint | boolean | null>;

/** Reads CSV with another library than the writer's, by the contract's types. */
export function readCsvExport(table: ExportTable, bytes: Uint8Array): ExportRow[] {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  const columns: Record<string, ExportColumn> = EXPORT_TABLES[table];
  const [header, ...records] = parse(text, { record_delimiter: "\r\n" });
  if (header?.join() !== Object.keys(columns).join())
    throw new Error(`the header is ${header?.join()}`);
  return records.map((record) =>
    Object.fromEntries(
      Object.entries(columns).map(([name, { type }], at) => [
        name,
        fromText(type, record[at] ?? ""),
      ]),
    ),
  );
}

function fromText(type: CellType, text: string): ExportRow[string] {
  if (text === "") return null;
  if (type === "boolean") return text === "true" || (text === "false" ? false : text);
  if (type === "uint64") return BigInt(text);
  if (type === "int64" || type === "double") return Number(text);
  // What a spreadsheet would run has an apostrophe before it.
  return text.replace(/^'(?=[=+\-@\t\r])/, "");
}

/** Reads Parquet with the Rust reader and checks the contract's column types. */
export function readParquetExport(table: ExportTable, bytes: Uint8Array): ExportRow[] {
  const arrow = tableFromIPC(readParquet(bytes).intoIPCStream());
  const columns = Object.entries<ExportColumn>(EXPORT_TABLES[table]);
  const names = arrow.schema.fields.map(({ name }) => name);
  if (names.join() !== columns.map(([name]) => name).join())
    throw new Error(`the columns are ${names.join()}`);
  const read = columns.map(([name, column]) => {
    const vector: Vector<DataType> | null = arrow.getChild(name);
    const field = arrow.schema.fields.find((each) => each.name === name);
    if (vector === null || !IS_OF_TYPE[column.type](vector.type))
      throw new Error(`${name} is ${String(field?.type)}`);
    if (field?.nullable !== column.isNullable)
      throw new Error(`${name} is nullable: ${String(field?.nullable)}`);
    return { name, type: column.type, vector };
  });
  return Array.from({ length: arrow.numRows }, (_, row) =>
    Object.fromEntries(
      read.map(({ name, type, vector }) => [name, fromArrow(type, vector.get(row) as unknown)]),
    ),
  );
}

const IS_OF_TYPE: Record<CellType, (type: DataType) => boolean> = {
  text: (type) => DataType.isUtf8(type),
  int64: (type) => DataType.isInt(type) && type.bitWidth === 64 && type.isSigned,
  uint64: (type) => DataType.isInt(type) && type.bitWidth === 64 && !type.isSigned,
  double: (type) => DataType.isFloat(type) && type.precision === Precision.DOUBLE,
  boolean: (type) => DataType.isBool(type),
  time: (type) => DataType.isTimestamp(type) && type.timezone === "UTC",
  date: (type) => DataType.isDate(type),
};

function fromArrow(type: CellType, value: unknown): ExportRow[string] {
  if (value === null || value === undefined) return null;
  if (type === "time") return new Date(Number(value)).toISOString();
  if (type === "date") return new Date(Number(value)).toISOString().slice(0, 10);
  return type === "int64" ? Number(value) : (value as ExportRow[string]);
}
