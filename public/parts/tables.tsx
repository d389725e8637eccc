import type { ComponentChildren } from "preact";
import { toCount } from "../format/values.ts";
import { useUrl } from "./use-url.ts";

interface TableProps {
  label: string;
  caption?: string;
  columns: readonly string[];
  /** `down`: has a maximum height; `sideways`: has its full height. */
  scrolls?: "down" | "sideways";
  class?: string;
  children: ComponentChildren;
}

export function Table({
  label,
  caption = label,
  columns,
  scrolls = "down",
  class: name,
  children,
}: TableProps) {
  return (
    <div
      class={scrolls === "down" ? "scroll" : "scroll-wide"}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
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
      <Table
        label={`${title}, figures`}
        caption={`${title}, newest first`}
        class="plain-table"
        {...table}
      />
    </details>
  );
}

interface TableEndProps {
  rows: number;
  total: number;
  step: number;
  children: ComponentChildren;
}

export function TableEnd({ rows, total, step, children }: TableEndProps) {
  const { change } = useUrl();
  return (
    <div class="table-end">
      <p>
        {toCount(Math.min(rows, total))} of {children}
      </p>
      {total > rows && (
        <button
          type="button"
          class="button"
          onClick={() => change({ rows: rows + step }, { replace: true })}
        >
          Show {toCount(Math.min(step, total - rows))} more
        </button>
      )}
    </div>
  );
}
