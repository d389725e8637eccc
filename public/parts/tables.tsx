import type { ComponentChildren } from "preact";
import { toCount } from "../format/values.ts";
import { useUrl } from "./use-url.ts";

interface TableProps {
  label: string;
  /** For screen readers; undefined: the label. */
  caption?: string;
  columns: readonly string[];
  /** `down`: has a maximum height; `sideways`: has its full height. */
  scrolls?: "down" | "sideways";
  /** `plain-table` for figures, `wide-table` for words. */
  class?: string;
  children: ComponentChildren;
}

/** Scrolls within its own region, not with the page. */
export function Table({ label, caption = label, columns, scrolls = "down", class: name, children }: TableProps) {
  return (
    <div class={scrolls === "down" ? "scroll" : "scroll-wide"} tabIndex={0} role="region" aria-label={label}>
      <table class={name ?? "wide-table"}>
        <caption class="visually-hidden">{caption}</caption>
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
  );
}

/** The figures of a chart, newest first, for people who cannot see it. */
export function Figures({
  title,
  ...table
}: {
  title: string;
  columns: readonly string[];
  children: ComponentChildren;
}) {
  return (
    <details class="figures">
      <summary>Show the figures as a table</summary>
      <Table label={`${title}, figures`} caption={`${title}, newest first`} class="plain-table" {...table} />
    </details>
  );
}

interface TableEndProps {
  rows: number;
  total: number;
  /** How many rows the button adds. */
  step: number;
  children: ComponentChildren;
}

/** Says how many rows are shown, with a button for more. */
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
