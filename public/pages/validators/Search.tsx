import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { SearchResult } from "../../../generator/contract/search.ts";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { toCounted, toShortKey } from "../../format/values.ts";
import { Card } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { ValidatorName } from "../../parts/ValidatorName.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { Sol } from "../../parts/values.tsx";

/** Between the last key and the search: who types on does not ask for every letter. */
const PAUSE_MILLISECONDS = 200;

/**
 * Searches as one types. The text is in the address (`q`), which follows after a pause; Enter opens the first result, the
 * down arrow goes to the results, Escape clears.
 *
 * @param results where the links of the results are; null: not shown
 */
export function SearchBox({ results }: { results: HTMLElement | null }) {
  const { query, network, change } = useUrl();
  const q = query["q"] ?? "";
  const [text, setText] = useState(q);
  // What this box last wrote: any other text of the address came by a link or the back button.
  const written = useRef(q);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  // A pause may outlast an address: what is written after it is written to the address there is then.
  const latest = useRef(change);
  latest.current = change;

  useLayoutEffect(() => {
    if (q === written.current) return;
    clearTimeout(timer.current);
    written.current = q;
    setText(q);
  }, [q]);
  // Who goes to another network in the pause leaves what was typed behind.
  useLayoutEffect(() => {
    clearTimeout(timer.current);
    setText(written.current);
  }, [network]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const write = (next: string) => {
    clearTimeout(timer.current);
    if (next === written.current) return;
    // A search begun can be left by the back button; its letters are not gone through one by one.
    const replace = written.current !== "";
    written.current = next;
    latest.current({ q: next === "" ? null : next, page: null }, { replace });
  };
  const type = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => write(next), PAUSE_MILLISECONDS);
  };
  const getFirst = () => results?.querySelector<HTMLElement>("a[href]") ?? null;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && text !== "") {
      event.preventDefault();
      setText("");
      write("");
    } else if (event.key === "ArrowDown" && getFirst() !== null) {
      event.preventDefault();
      getFirst()?.focus();
    }
  };

  return (
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        // What is shown belongs to the text as it was written last.
        if (text === written.current && results?.dataset["searched"] === toSearched(text)) getFirst()?.click();
        else write(text);
      }}
    >
      <label for="search">Search by name or key</label>
      <input
        id="search"
        type="search"
        value={text}
        maxLength={200}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        aria-describedby="search-hint"
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <span id="search-hint" class={toHint(text) === USUAL_HINT ? "visually-hidden" : "search-hint"}>
        {toHint(text)}
      </span>
    </form>
  );
}

const USUAL_HINT = "Results show as you type. Down arrow: go to them. Enter: open the first.";

function toHint(text: string): string {
  if (text.trim() === "" || toSearched(text) !== null) return USUAL_HINT;
  return Array.from(text.trim()).length === 1 ? "Type one more character." : "No name or key is that long.";
}

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

/** As the API has it (contract/search.ts), whose parser stays there. */
export const SEARCH_MIN_CODE_POINTS = 2;
export const SEARCH_MAX_CODE_POINTS = 100;

/** What is asked of the search for a text that was typed; null: too short to ask, or longer than any name. */
export function toSearched(text: string): string | null {
  const searched = text.normalize("NFC").trim();
  const length = Array.from(searched).length;
  return length >= SEARCH_MIN_CODE_POINTS && length <= SEARCH_MAX_CODE_POINTS ? searched : null;
}
