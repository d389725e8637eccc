import type { ComponentChildren } from "preact";
import { toCount } from "../format/values.ts";
import { useUrl } from "./use-url.ts";

interface FiguresProps {
  /** What the chart beside it is called. */
  title: string;
  columns: readonly string[];
  /** Rows, newest first: each a `tr` with a head of its own and as many cells as there are other columns. */
  children: ComponentChildren;
}

/** All that a chart by epoch shows, as a table, for who cannot see the chart or wants the figures. */
export function Figures({ title, columns, children }: FiguresProps) {
  return (
    <details class="figures">
      <summary>The figures as a table</summary>
      <div class="scroll" tabIndex={0} role="region" aria-label={`${title}, figures`}>
        <table class="plain-table">
          <caption class="visually-hidden">{title}, newest first</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
    </details>
  );
}

interface TableEndProps {
  /** Rows shown at most, as the address says. */
  rows: number;
  /** Rows that there are. */
  total: number;
  /** Rows that one press of the button adds. */
  step: number;
  /** Rows that there are, in words, and what else is to be said of them. */
  children: ComponentChildren;
}

/** The end of a list of which the address says how many rows it shows: how many that are of all, and a button for more. */
export function TableEnd({ rows, total, step, children }: TableEndProps) {
  const { change } = useUrl();
  return (
    <div class="table-end">
      <p>
        {toCount(Math.min(rows, total))} of {children}
      </p>
      {total > rows && (
        <button type="button" class="button" onClick={() => change({ rows: rows + step }, { replace: true })}>
          Show {toCount(Math.min(step, total - rows))} more
        </button>
      )}
    </div>
  );
}
