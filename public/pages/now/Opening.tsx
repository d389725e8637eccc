import { useState } from "preact/hooks";
import tooltips from "virtual:tooltips";
import { SEVERITIES } from "../../format/events.ts";
import { SeverityBadge } from "../../parts/Change.tsx";
import { SearchBox, SearchResults, toSearched } from "../../parts/Search.tsx";
import { useUrl } from "../../parts/use-url.ts";

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
            Which Solana validators raised their share of your staking rewards: when, by how much,
            who signed it, and from which epoch it costs you.
          </p>
        </div>
        <SearchBox results={results} />
      </header>
      {searched !== null && <SearchResults searched={searched} place={setResults} />}
    </>
  );
}

export function SeverityLegend() {
  return (
    <dl class="severity-legend">
      {SEVERITIES.map((severity) => (
        <div key={severity}>
          <dt>
            <SeverityBadge severity={severity} />
          </dt>
          <dd>{tooltips[severity].text}</dd>
        </div>
      ))}
    </dl>
  );
}
