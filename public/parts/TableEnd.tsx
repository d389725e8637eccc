import type { ComponentChildren } from "preact";
import { useUrl } from "../app/use-url.ts";
import { toCount } from "../format/amounts.ts";

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
