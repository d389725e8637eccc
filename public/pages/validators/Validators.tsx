import { useState } from "preact/hooks";
import { useUrl } from "../../app/use-url.ts";
import { useEpoch } from "../../app/use-epoch.ts";
import "../../style/search.css";
import "../../style/validators.css";
import { SearchBox } from "./SearchBox.tsx";
import { SearchResults } from "./SearchResults.tsx";
import { toSearched } from "./search-text.ts";
import { ValidatorList } from "./ValidatorList.tsx";

/** Every validator of a network, or those that a search finds. */
export default function Validators() {
  const { query, network } = useUrl();
  const searched = toSearched(query["q"] ?? "");
  const [results, setResults] = useState<HTMLElement | null>(null);
  // Sets the clock that says how long a validator has been delinquent.
  useEpoch(network);
  return (
    <div class="stack">
      <header class="page-header">
        <h1>Validators on {network}</h1>
        <SearchBox results={results} />
      </header>
      {searched === null ? <ValidatorList /> : <SearchResults searched={searched} place={setResults} />}
    </div>
  );
}
