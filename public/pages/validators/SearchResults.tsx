import type { SearchResult } from "../../../generator/contract/search.ts";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { useUrl } from "../../app/use-url.ts";
import { toCounted } from "../../format/amounts.ts";
import { Card } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { Sol } from "../../parts/Sol.tsx";
import { toShortKey, ValidatorName } from "../../parts/ValidatorName.tsx";

/** As many as the API gives. */
const RESULTS_MAX = 20;

interface SearchResultsProps {
  searched: string;
  /** Is given the list, so that the search box can go to it. */
  place: (list: HTMLElement | null) => void;
}

/** What the search found. A new text ends the request for the one before. */
export function SearchResults({ searched, place }: SearchResultsProps) {
  const { network } = useUrl();
  const reading = useDocument(documents.search(network, searched));
  const found = reading.held?.document.data.length;
  return (
    <Card title="Search results" class="search-results">
      <p class="visually-hidden" role="status">
        {found !== undefined && `${toCounted(found, "validator")} found for ${searched}`}
      </p>
      <Document
        reading={reading}
        isEmpty={({ data }) => data.length === 0}
        empty={
          <>
            No validator on {network} has <q class="breakable">{searched}</q> in its name or key. A key may be of
            another network.
          </>
        }
      >
        {({ data }) => (
          <>
            <ul class="results" ref={place} data-searched={searched} onKeyDown={moveByArrows}>
              {data.map((result) => (
                <Result key={result.votePubkey} result={result} />
              ))}
            </ul>
            {data.length === RESULTS_MAX && (
              <p class="note">The first {RESULTS_MAX}. A longer text finds fewer, and the one that is meant.</p>
            )}
          </>
        )}
      </Document>
    </Card>
  );
}

function Result({ result }: { result: SearchResult }) {
  const { network } = useUrl();
  const { votePubkey, name, iconUrl, rank, activeStake, delinquent } = result;
  return (
    <li class="result">
      <ValidatorName network={network} votePubkey={votePubkey} name={name} iconUrl={iconUrl} />
      <span class="quiet result-key">
        <span class="key">{toShortKey(votePubkey)}</span>
        {rank !== null && ` · rank ${rank}`}
        {delinquent && <span class="mark mark-delinquent">delinquent</span>}
      </span>
      <Sol lamports={activeStake.lamports} />
    </li>
  );
}

/** From link to link; up from the first back to the search box. */
function moveByArrows(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>("a[href]")];
  const next = links.findIndex((link) => link === document.activeElement) + step;
  const target = next < 0 ? document.getElementById("search") : links[next];
  event.preventDefault();
  target?.focus();
}
