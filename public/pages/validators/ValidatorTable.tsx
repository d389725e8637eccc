import type { Validator } from "../../../generator/contract/validator.ts";
import { keepPercents, NOT_KNOWN, toMevText, toSharePercent } from "../../format/values.ts";
import { PaidThenNext } from "../../parts/PaidThenNext.tsx";
import { PaidSparkline } from "../../parts/PaidSparkline.tsx";
import { Star } from "../../parts/Star.tsx";
import { Term } from "../../parts/Term.tsx";
import type { TermName } from "../../parts/terms.ts";
import { ValidatorName } from "../../parts/ValidatorName.tsx";
import { VerdictWord } from "../../parts/VerdictWord.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { Sol } from "../../parts/values.tsx";
import { toTimeText } from "../../parts/zone.ts";
import type { Sort } from "./sorting.ts";
import { toSortParameters, type View } from "./view.ts";

interface ValidatorTableProps {
  rows: readonly Validator[];
  view: View;
  /** With client and place. */
  hasPlaces: boolean;
}

interface Column {
  /** null: nothing sorts by it. */
  sort: Sort | null;
  name: string;
  term?: TermName;
}

const COLUMNS = [
  { sort: "name", name: "Validator" },
  { sort: "verdict", name: "Verdict", term: "Verdict" },
  { sort: "applied", name: "Inflation", term: "Paid commission" },
  { sort: "mev", name: "MEV", term: "MEV commission" },
  { sort: null, name: "Paid, 30 epochs" },
  { sort: "stake", name: "Active stake", term: "Active stake" },
] as const satisfies readonly Column[];

const PLACE_COLUMNS = [
  { sort: "client", name: "Client" },
  { sort: "location", name: "Location" },
] as const satisfies readonly Column[];

/** On narrow screens rows are cards, which without the roles would be no table. */
export function ValidatorTable({ rows, view, hasPlaces }: ValidatorTableProps) {
  const columns: readonly Column[] = hasPlaces ? [...COLUMNS, ...PLACE_COLUMNS] : COLUMNS;
  return (
    <table
      class={hasPlaces ? "validators validators-wide block-table" : "validators block-table"}
      role="table"
      aria-label="Validators"
    >
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col" class="validator-rank">
            Rank
          </th>
          {columns.map(({ sort, name, term }) =>
            sort === null ? (
              <th key={name} role="columnheader" scope="col" class="validator-paid">
                {name}
              </th>
            ) : (
              <SortHead key={name} sort={sort} name={name} term={term} view={view} />
            ),
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((validator) => (
          <ValidatorRow key={validator.votePubkey} validator={validator} hasPlaces={hasPlaces} />
        ))}
      </tbody>
    </table>
  );
}

interface SortHeadProps {
  sort: Sort;
  name: string;
  term: TermName | undefined;
  view: View;
}

function SortHead({ sort, name, term, view }: SortHeadProps) {
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
  hasPlaces: boolean;
}

function ValidatorRow({ validator, hasPlaces }: ValidatorRowProps) {
  const { votePubkey, name, iconUrl, rank, activeStake, stakePercent, verdictReason } = validator;
  return (
    <tr role="row" class="validator-row">
      <td role="cell" class="validator-rank">
        {rank}
      </td>
      <td role="cell" class="validator-name-cell">
        <Star votePubkey={votePubkey} name={name} />
        <ValidatorName votePubkey={votePubkey} name={name} iconUrl={iconUrl} />
        <Delinquent validator={validator} />
      </td>
      <td role="cell" class="validator-verdict-cell" title={keepPercents(verdictReason.text)}>
        <VerdictWord level={validator.verdict} />
      </td>
      <td role="cell" class="validator-applied">
        <span class="cell-name" aria-hidden="true">
          Inflation{" "}
        </span>
        <PaidThenNext of={validator} />
      </td>
      <td role="cell" class="validator-mev">
        <span class="cell-name" aria-hidden="true">
          MEV{" "}
        </span>
        {toMevText({ mev: validator, mevVendorEnabled: validator.mevVendorEnabled })}
      </td>
      <td role="cell" class="validator-paid">
        <PaidSparkline paid={validator.appliedCommissions} />
      </td>
      <td role="cell" class="validator-stake">
        <Sol lamports={activeStake.lamports} />
        <span class="second">{toSharePercent(stakePercent)}</span>
      </td>
      {hasPlaces && (
        <>
          <td role="cell" class="validator-client">
            <Client validator={validator} />
          </td>
          <td role="cell" class="validator-location">
            <Place location={validator.location} />
          </td>
        </>
      )}
    </tr>
  );
}

/** Nothing where it votes: that is how it should be. */
function Delinquent({
  validator: { delinquent, delinquentSince, inValidatorSet },
}: {
  validator: Validator;
}) {
  if (delinquent)
    return (
      <strong
        class="mark mark-delinquent"
        title={delinquentSince === null ? undefined : `since ${toTimeText(delinquentSince)}`}
      >
        delinquent
      </strong>
    );
  return inValidatorSet ? null : <span class="validator-outside">not in the set</span>;
}

function Client({ validator: { client, version } }: { validator: Validator }) {
  return (
    <>
      {client ?? <span class="quiet">{NOT_KNOWN}</span>}
      {version !== null && (
        <span class="second cut" title={version}>
          {version}
        </span>
      )}
    </>
  );
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
