import type { Validator } from "../../../generator/contract/validator.ts";
import { useUrl } from "../../app/use-url.ts";
import type { Marks } from "./marks.ts";
import type { Sort } from "./sorting.ts";
import { ValidatorRow } from "./ValidatorRow.tsx";
import { toSortParameters, type View } from "./view.ts";

interface ValidatorTableProps {
  rows: readonly Validator[];
  view: View;
  /** null: not read yet, or not to be had. */
  marks: ReadonlyMap<string, Marks> | null;
  /** The changes could not be read. */
  hasNoMarks: boolean;
}

const COLUMNS = [
  { sort: "name", name: "Validator" },
  { sort: "commission", name: "Commission" },
  { sort: "stake", name: "Active stake" },
  { sort: "client", name: "Client" },
  { sort: "location", name: "Location" },
  { sort: "changes", name: "Changes" },
  { sort: "delinquent", name: "Voting" },
] as const satisfies readonly { sort: Sort; name: string }[];

/** A table in looks; on a narrow screen each row is a card, and the roles say that it is a table still. */
export function ValidatorTable({ rows, view, marks, hasNoMarks }: ValidatorTableProps) {
  return (
    <table class="validators" role="table" aria-label="Validators">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col" class="validator-rank">
            Rank
          </th>
          {COLUMNS.map(({ sort, name }) => (
            <SortHead key={sort} sort={sort} name={name} view={view} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((validator) => (
          <ValidatorRow
            key={validator.votePubkey}
            validator={validator}
            marks={marks === null ? null : (marks.get(validator.votePubkey) ?? "none")}
            hasNoMarks={hasNoMarks}
          />
        ))}
      </tbody>
    </table>
  );
}

/** The head of a column: sorts by it, and the other way round when it does already. */
function SortHead({ sort, name, view }: { sort: Sort; name: string; view: View }) {
  const { change } = useUrl();
  const isChosen = sort === view.sort;
  const order = isChosen ? view.order : null;
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={order === null ? undefined : order === "asc" ? "ascending" : "descending"}
    >
      <button type="button" class="sort-head" onClick={() => change(toSortParameters(view, sort))}>
        {name}
        <svg class={`sort-arrow sort-${order ?? "none"}`} viewBox="0 0 8 8" width="8" height="8" aria-hidden="true">
          <path d="M4 7 .5 1.5h7z" fill="currentColor" />
        </svg>
      </button>
    </th>
  );
}
