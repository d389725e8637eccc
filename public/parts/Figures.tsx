import type { ComponentChildren } from "preact";

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
