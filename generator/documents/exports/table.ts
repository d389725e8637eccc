import {
  EXPORT_TABLES,
  type CellType,
  type ColumnOf,
  type ExportColumn,
  type ExportTable,
} from "../../contract/export-tables.ts";

/** Lamports are bigint; times ISO 8601 in UTC. */
export type Cell = string | number | bigint | boolean | null;

/** What both formats, CSV and Parquet, are written from. */
export interface Table {
  columns: readonly (ExportColumn & { name: string })[];
  rows: readonly (readonly Cell[])[];
}

/** Columns that are not a field of the source. A missing one does not compile. */
type Cells<Name extends ExportTable, Source> = Record<
  Exclude<ColumnOf<Name>, CellField<Source>>,
  (source: Source) => Cell
>;

type CellField<Source> = {
  [Key in keyof Source]: Source[Key] extends Cell ? Key : never;
}[keyof Source];

/** Returns what makes a table of its rows' sources, with columns in the contract's order. */
export function tableOf<Name extends ExportTable, Source extends object>(
  table: Name,
  cells: Cells<Name, Source>,
): (sources: readonly Source[]) => Table {
  const columns = Object.entries<ExportColumn>(EXPORT_TABLES[table]).map(([name, column]) => ({
    name,
    ...column,
  }));
  const own = cells as Partial<Record<string, (source: Source) => Cell>>;
  const toCells = columns.map(({ name, type }) => {
    const toCell = own[name] ?? ((source) => (source as Record<string, Cell>)[name] ?? null);
    return (source: Source) => orNullBeyond(type, toCell(source));
  });
  return (sources) => ({
    columns,
    rows: sources.map((source) => toCells.map((toCell) => toCell(source))),
  });
}

/** Lamports that no 64 bits hold come only from endpoints that lie together. */
function orNullBeyond(type: CellType, cell: Cell): Cell {
  if (typeof cell !== "bigint") return cell;
  const stored = type === "uint64" ? BigInt.asUintN(64, cell) : BigInt.asIntN(64, cell);
  return stored === cell ? cell : null;
}

/** The cell of an amount as the API writes it: decimal digits. */
export function toLamports(digits: string | undefined): bigint | null {
  return digits === undefined ? null : BigInt(digits);
}
