import { stringify } from "csv-stringify/sync";
import type { Cell, Table } from "./table.ts";

/**
 * A table as CSV (RFC 4180): UTF-8 without a byte order mark, a header line, lines that end in CR LF, null an empty field.
 *
 * A spreadsheet takes a field that begins with = + - @ or a tab for a formula (OWASP, «CSV Injection»). No text that
 * anybody outside can choose is in a table: keys, identifiers, words of our own, times and numbers. So nothing needs to be
 * altered or quoted for that, and a minus begins only numbers.
 */
export function toCsv<Row>({ columns, rows }: Table<Row>): Uint8Array {
  const header = columns.map(({ name }) => name);
  const lines = rows.map((row) => columns.map(({ toCell }) => toField(toCell(row))));
  return new TextEncoder().encode(stringify([header, ...lines], { record_delimiter: "windows" }));
}

/** As JSON spells it: `true`, `7.25`; lamports in all their digits. */
function toField(cell: Cell): string {
  return cell === null ? "" : String(cell);
}
