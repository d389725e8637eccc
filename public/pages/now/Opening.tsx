import { useState } from "preact/hooks";
import { SeverityBadge } from "../../parts/Change.tsx";
import { SearchBox, SearchResults, toSearched } from "../../parts/Search.tsx";
import { TERMS } from "../../parts/terms.ts";
import { useUrl } from "../../parts/use-url.ts";

/** What this is, and the way to one's own validator. */
export function Opening() {
  const { query, network } = useUrl();
  const searched = toSearched(query["q"] ?? "");
  const [results, setResults] = useState<HTMLElement | null>(null);
  return (
    <>
      <header class="opening">
        <div>
          <h1>Commission changes on {network}</h1>
          <p>
            Which Solana validators raised what they take of your staking rewards: when, by how much, and from which
            epoch it costs you.
          </p>
        </div>
        <SearchBox results={results} />
      </header>
      {searched !== null && <SearchResults searched={searched} place={setResults} />}
    </>
  );
}

const SEVERITIES = [
  { severity: "RUG", term: "rug" },
  { severity: "CAUTION", term: "caution" },
  { severity: "INFO", term: "info" },
] as const;

export function SeverityLegend() {
  return (
    <dl class="severity-legend">
      {SEVERITIES.map(({ severity, term }) => (
        <div key={severity}>
          <dt>
            <SeverityBadge severity={severity} />
          </dt>
          <dd>{TERMS[term].text}</dd>
        </div>
      ))}
    </dl>
  );
}
