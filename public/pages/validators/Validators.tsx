import { useState } from "preact/hooks";
import { useEpoch } from "../../api/clock.ts";
import { toAddress } from "../../format/url.ts";
import { Card, Fact } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { SearchBox, SearchResults, toSearched } from "../../parts/Search.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { type Filter, isFiltered, readFilter } from "./filter.ts";
import { FilterFold } from "./FilterFold.tsx";
import { Filters } from "./Filters.tsx";
import { ORDER_WORDS, Paging, SortSelect, Summary } from "./Paging.tsx";
import { ValidatorTable } from "./ValidatorTable.tsx";
import { readView, useListed, type View } from "./view.ts";
import "../../style/validators.css";

export default function Validators() {
  const { query, network } = useUrl();
  const searched = toSearched(query["q"] ?? "");
  const [results, setResults] = useState<HTMLElement | null>(null);
  useEpoch(network);
  return (
    <div class="stack">
      <header class="page-header">
        <div class="validators-title">
          <h1>Validators on {network}</h1>
          <a href={toAddress("/compare", { network })}>Compare</a>
        </div>
        <SearchBox results={results} />
      </header>
      {searched === null ? (
        <ValidatorList />
      ) : (
        <SearchResults searched={searched} place={setResults} />
      )}
    </div>
  );
}

function ValidatorList() {
  const { query, network, change } = useUrl();
  const view = readView(query);
  const filter = readFilter(query);
  const hasPlaces = query["columns"] === MORE_COLUMNS;
  const resource = useListed(view, filter);
  return (
    <Card title={toTitle(view, filter)} class="validator-list">
      <FilterFold isFiltered={isFiltered(filter)}>
        <SortSelect view={view} />
        <Filters filter={filter} />
        <button
          type="button"
          class="chip validators-more"
          aria-pressed={hasPlaces}
          onClick={() => change({ columns: hasPlaces ? null : MORE_COLUMNS })}
        >
          Client and place
        </button>
      </FilterFold>
      <Document
        resource={resource}
        lines={12}
        isEmpty={({ total, filteredFrom }) => total === 0 && filteredFrom === null}
        empty={`We know no validator on ${network} yet.`}
      >
        {(listed) => (
          <>
            <Summary view={view} listed={listed} />
            {listed.rows.length > 0 && (
              <ValidatorTable rows={listed.rows} view={view} hasPlaces={hasPlaces} />
            )}
            {listed.total > 0 && (
              <Paging view={view} total={listed.sorted?.count ?? listed.total} />
            )}
            <Legend />
          </>
        )}
      </Document>
    </Card>
  );
}

/** Of the parameter `columns`. */
const MORE_COLUMNS = "more";

/** "All validators, highest commission first" */
function toTitle(view: View, filter: Filter): string {
  const which = isFiltered(filter) ? "Chosen validators" : "All validators";
  return `${which}, ${ORDER_WORDS[view.sort][view.order]}`;
}

function Legend() {
  const { network } = useUrl();
  return (
    <dl class="legend">
      <Fact name="Verdict">
        What the record says in one word, by fixed rules. The page of a validator has the reasons.
      </Fact>
      <Fact name="Inflation">
        The commission that the rewards of this epoch pay and, where it is another, that of the next
        epoch. What is announced now is paid up to two epochs later.
      </Fact>
      <Fact name="MEV">The commission on MEV tips; off: it takes part in none.</Fact>
      <Fact name="Paid">
        What the newest 30 epochs paid, from 0 to 100&nbsp;%. A gap: not known, or nothing was paid.
      </Fact>
      <Fact name="Active stake">
        Percent of the active stake of all listed validators, also of those outside of the validator
        set, which <a href={toAddress("/concentration", { network })}>concentration</a> leaves out.
      </Fact>
    </dl>
  );
}
