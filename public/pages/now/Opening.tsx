import { useState } from "preact/hooks";
import { toAddress } from "../../format/url.ts";
import { AnswerLink } from "../../parts/AnswerLink.tsx";
import { SearchBox, SearchResults, toSearched } from "../../parts/Search.tsx";
import { useUrl } from "../../parts/use-url.ts";

/** What a visitor comes to ask, and where to ask it. */
export function Opening() {
  const { query, network } = useUrl();
  const searched = toSearched(query["q"] ?? "");
  const [results, setResults] = useState<HTMLElement | null>(null);
  return (
    <>
      <header class="opening">
        <h1>Did your validator raise its commission?</h1>
        <p>
          Every rise on Solana {network}: when, by how much, from which epoch it costs you, and what
          shows it.
        </p>
        <p class="opening-links">
          <a href={toAddress("/how-we-know", { network })}>How we know</a>
          <AnswerLink votePubkey={null} event={null}>
            Accused wrongly?
          </AnswerLink>
        </p>
        <SearchBox
          results={results}
          label="Name, vote account or wallet"
          button="Check"
          labelled="above"
        />
      </header>
      {searched !== null && <SearchResults searched={searched} place={setResults} />}
    </>
  );
}
