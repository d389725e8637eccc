import type { Validator } from "../../../generator/contract/validator.ts";
import type { Pattern } from "../../../generator/contract/pattern.ts";
import { toPatternBrief, toPatternText } from "../../format/events.ts";
import { NOT_KNOWN, toCounted, toPercent, toSharePercent } from "../../format/values.ts";
import { Change } from "../../parts/Change.tsx";
import { Star } from "../../parts/Star.tsx";
import { Term } from "../../parts/Term.tsx";
import type { TermName } from "../../parts/terms.ts";
import { ValidatorName } from "../../parts/ValidatorName.tsx";
import { VerdictWord } from "../../parts/VerdictWord.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { Ago, Sol } from "../../parts/values.tsx";
import type { Marks, Sort } from "./sorting.ts";
import { toSortParameters, type View } from "./view.ts";

interface ValidatorTableProps {
  rows: readonly Validator[];
  view: View;
  marks: ReadonlyMap<string, Marks> | null;
  /** That the marks are of; null: not known. */
  epochs: number | null;
  hasNoMarks: boolean;
}

interface Column {
  sort: Sort;
  name: string;
  term?: TermName;
}

const COLUMNS = [
  { sort: "name", name: "Validator" },
  { sort: "verdict", name: "Verdict", term: "Verdict" },
  { sort: "commission", name: "Commission", term: "Announced commission" },
  { sort: "applied", name: "Paid now", term: "Paid commission" },
  { sort: "stake", name: "Active stake", term: "Active stake" },
  { sort: "client", name: "Client" },
  { sort: "location", name: "Location" },
  { sort: "changes", name: "Changes", term: "Pattern" },
  { sort: "delinquent", name: "Voting", term: "Delinquent" },
] as const satisfies readonly Column[];

/** On narrow screens rows are cards, which without the roles would be no table. */
export function ValidatorTable({ rows, view, marks, epochs, hasNoMarks }: ValidatorTableProps) {
  return (
    <table class="validators block-table" role="table" aria-label="Validators">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col" class="validator-rank">
            Rank
          </th>
          {COLUMNS.map((column: Column) => (
            <SortHead key={column.sort} column={column} view={view} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((validator) => (
          <ValidatorRow
            key={validator.votePubkey}
            validator={validator}
            marks={marks === null ? null : (marks.get(validator.votePubkey) ?? "none")}
            epochs={epochs}
            hasNoMarks={hasNoMarks}
          />
        ))}
      </tbody>
    </table>
  );
}

function SortHead({ column: { sort, name, term }, view }: { column: Column; view: View }) {
  const { change } = useUrl();
  const isChosen = sort === view.sort;
  const order = isChosen ? view.order : null;
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={order === null ? undefined : order === "asc" ? "ascending" : "descending"}
    >
      <span class="cell-name">{name}</span>
      <button type="button" class="sort-head" onClick={() => change(toSortParameters(view, sort))}>
        {name}
        <svg
          class={`sort-arrow sort-${order ?? "none"}`}
          viewBox="0 0 8 8"
          width="8"
          height="8"
          aria-hidden="true"
        >
          <path d="M4 7 .5 1.5h7z" fill="currentColor" />
        </svg>
      </button>
      {term !== undefined && <Term of={term} />}
    </th>
  );
}

interface ValidatorRowProps {
  validator: Validator;
  marks: Marks | "none" | null;
  epochs: number | null;
  hasNoMarks: boolean;
}

function ValidatorRow({ validator, marks, epochs, hasNoMarks }: ValidatorRowProps) {
  const {
    votePubkey,
    name,
    iconUrl,
    rank,
    commission,
    activeStake,
    stakePercent,
    client,
    version,
  } = validator;
  return (
    <tr role="row" class="validator-row">
      <td role="cell" class="validator-rank">
        {rank}
      </td>
      <td role="cell" class="validator-name-cell">
        <Star votePubkey={votePubkey} name={name} />
        <ValidatorName votePubkey={votePubkey} name={name} iconUrl={iconUrl} />
      </td>
      <td role="cell" class="validator-verdict-cell">
        <VerdictWord level={validator.verdict} />
      </td>
      <td role="cell" class="validator-commission">
        <span class="cell-name" aria-hidden="true">
          Commission{" "}
        </span>
        <strong class={commission === null ? "quiet" : ""}>{toPercent(commission)}</strong>
        <span class="second">{toMevState(validator)}</span>
      </td>
      <td role="cell" class="validator-applied">
        <span class="cell-name" aria-hidden="true">
          Paid now{" "}
        </span>
        <Applied validator={validator} />
      </td>
      <td role="cell" class="validator-stake">
        <Sol lamports={activeStake.lamports} />
        <span class="second">{toSharePercent(stakePercent)}</span>
      </td>
      <td role="cell" class="validator-client">
        {client ?? <span class="quiet">{NOT_KNOWN}</span>}
        {version !== null && (
          <span class="second cut" title={version}>
            {version}
          </span>
        )}
      </td>
      <td role="cell" class="validator-location">
        <Place location={validator.location} />
      </td>
      <td role="cell" class="validator-changes">
        <ChangesCell
          marks={marks}
          epochs={epochs}
          hasNoMarks={hasNoMarks}
          pattern={validator.pattern}
        />
      </td>
      <td role="cell" class="validator-delinquent">
        <Voting validator={validator} />
      </td>
    </tr>
  );
}

/** The column is about rates that differ from the announced one. */
function Applied({ validator: { commission, appliedCommission } }: { validator: Validator }) {
  const text = toPercent(appliedCommission);
  const isOther = appliedCommission !== null && appliedCommission !== commission;
  return isOther ? <strong>{text}</strong> : <span class="quiet">{text}</span>;
}

function Place({ location }: Pick<Validator, "location">) {
  if (location === null) return <span class="quiet">{NOT_KNOWN}</span>;
  const { city, country, countryCode, dataCenter } = location;
  const place = [city, city === null ? country : (countryCode ?? country)]
    .filter((part) => part !== null)
    .join(", ");
  return (
    <>
      <span title={country ?? undefined}>
        {place === "" ? <span class="quiet">{NOT_KNOWN}</span> : place}
      </span>
      {dataCenter !== null && <span class="second">{dataCenter}</span>}
    </>
  );
}

function Voting({
  validator: { delinquent, delinquentSince, inValidatorSet },
}: {
  validator: Validator;
}) {
  if (!delinquent)
    return <span class="quiet">{inValidatorSet ? "voting" : "not in the validator set"}</span>;
  return (
    <>
      <strong class="mark mark-delinquent">delinquent</strong>
      {delinquentSince !== null && (
        <span class="second">
          since <Ago time={delinquentSince} />
        </span>
      )}
    </>
  );
}

function toMevState({ mevVendorEnabled, batchVendorEnabled }: Validator): string {
  if (batchVendorEnabled) return "MEV, batched";
  return mevVendorEnabled ? "MEV" : "no MEV";
}

interface ChangesCellProps {
  marks: Marks | "none" | null;
  epochs: number | null;
  hasNoMarks: boolean;
  pattern: Validator["pattern"];
}

function ChangesCell({ marks, epochs, hasNoMarks, pattern }: ChangesCellProps) {
  if (marks === null) return <span class="quiet">{hasNoMarks ? NOT_KNOWN : "…"}</span>;
  if (marks === "none") return <span class="quiet">none in {toCounted(epochs ?? 0, "epoch")}</span>;
  const { changes, newest } = marks;
  return (
    <>
      <span class="changes-marks">
        {pattern === null ? toCounted(changes, "change") : <PatternMark pattern={pattern} />}
      </span>
      <span class="second">
        <Change event={newest} />
      </span>
    </>
  );
}

function PatternMark({ pattern }: { pattern: Pattern }) {
  const [rates] = toPatternBrief(pattern);
  return (
    <strong title={toPatternText(pattern)}>
      {rates} ×{pattern.epochs}
    </strong>
  );
}
