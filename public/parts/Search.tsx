import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { SearchResult } from "../../generator/contract/search.ts";
import { documents } from "../api/documents.ts";
import { useDocument } from "../api/use-document.ts";
import { isKey, toAddress } from "../format/url.ts";
import { toCounted, toShortKey } from "../format/values.ts";
import { chooseResult } from "./choose-result.ts";
import { Card } from "./Card.tsx";
import { Document } from "./Document.tsx";
import { LookUp } from "./LookUp.tsx";
import { ValidatorName } from "./ValidatorName.tsx";
import { useUrl } from "./use-url.ts";
import { VerdictWord } from "./VerdictWord.tsx";
import { Sol } from "./values.tsx";
import "../style/search.css";

const PAUSE_MILLISECONDS = 200;

interface SearchBoxProps {
  /** null: none on the page */
  results: HTMLElement | null;
  label?: string;
  button?: string;
  labelled?: "beside" | "above";
}

export function SearchBox({
  results,
  label = "Search by name or key",
  button,
  labelled = "beside",
}: SearchBoxProps) {
  const { query, network, change } = useUrl();
  const q = query["q"] ?? "";
  const [text, setText] = useState(q);
  // Another text in the address came from a link or the back button.
  const written = useRef(q);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  // The address may have changed during the pause.
  const latest = useRef(change);
  latest.current = change;

  useLayoutEffect(() => {
    if (q === written.current) return;
    clearTimeout(timer.current);
    written.current = q;
    setText(q);
  }, [q]);
  // Drops what was typed but not searched.
  useLayoutEffect(() => {
    clearTimeout(timer.current);
    setText(written.current);
  }, [network]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const write = (next: string) => {
    clearTimeout(timer.current);
    if (next === written.current) return;
    const replace = written.current !== "";
    written.current = next;
    latest.current({ q: next === "" ? null : next, page: null }, { replace });
  };
  const type = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => write(next), PAUSE_MILLISECONDS);
  };
  const getLinks = () => [...(results?.querySelectorAll<HTMLElement>("a[href]") ?? [])];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && text !== "") {
      event.preventDefault();
      setText("");
      write("");
    } else if (event.key === "ArrowDown" && getLinks().length > 0) {
      event.preventDefault();
      getLinks()[0]?.focus();
    }
  };

  return (
    <LookUp
      id="search"
      label={label}
      {...(button !== undefined && { button })}
      type="search"
      value={text}
      maxLength={200}
      hint={toHint(text)}
      isHintHidden={toHint(text) === USUAL_HINT}
      labelled={labelled}
      onType={type}
      onKeyDown={onKeyDown}
      onSubmit={() => {
        // They may belong to an earlier text.
        if (text === written.current && results?.dataset["searched"] === toSearched(text))
          chooseResult(getLinks());
        else write(text);
      }}
    />
  );
}

const USUAL_HINT =
  "Results appear as you type. Press Enter or the down arrow to go to them; a single result opens at once.";

function toHint(text: string): string {
  if (text.trim() === "" || toSearched(text) !== null) return USUAL_HINT;
  return Array.from(text.trim()).length === 1
    ? "Type one more character."
    : "Type less: no name or key is so long.";
}

const RESULTS_MAX = 20;

export function SearchResults({
  searched,
  place,
}: {
  searched: string;
  place: (list: HTMLElement | null) => void;
}) {
  const { network } = useUrl();
  const resource = useDocument(documents.search(network, searched));
  const found = resource.held?.document.data.length;
  return (
    <Card title="Search results">
      <p class="visually-hidden" role="status">
        {found !== undefined && toFoundText(found, searched)}
      </p>
      <Document
        resource={resource}
        isEmpty={({ data }) => data.length === 0 && !isKey(searched)}
        empty={
          <>
            No validator on {network} has <q class="breakable">{searched}</q> in its name or key.
            Try another network, or less of the name.
          </>
        }
      >
        {({ data }) => (
          <>
            <ul class="results" ref={place} data-searched={searched} onKeyDown={moveByArrows}>
              {data.map((result) => (
                <Result key={result.votePubkey} result={result} />
              ))}
              {data.length === 0 && <WalletResult pubkey={searched} />}
            </ul>
            {data.length === RESULTS_MAX && (
              <p class="note">These are the first {RESULTS_MAX}. Type more to narrow the search.</p>
            )}
          </>
        )}
      </Document>
    </Card>
  );
}

function toFoundText(found: number, searched: string): string {
  return found === 0 && isKey(searched)
    ? "No validator has this key, but a wallet may"
    : `${toCounted(found, "validator")} found for ${searched}`;
}

/** A key of no validator may be that of a delegator. */
function WalletResult({ pubkey }: { pubkey: string }) {
  const { network } = useUrl();
  return (
    <li class="result-wallet">
      <a href={toAddress("/wallet", { wallet: pubkey, network })}>
        See the stake of the wallet <span class="key">{toShortKey(pubkey)}</span>
      </a>
      <span class="quiet">
        No validator has this key, so it may be a wallet's or a stake account's. If it has no stake
        on {network} either, the next page says what else to try.
      </span>
    </li>
  );
}

function Result({ result }: { result: SearchResult }) {
  const { votePubkey, name, iconUrl, rank, activeStake, delinquent, verdict } = result;
  return (
    <li class="result">
      <ValidatorName votePubkey={votePubkey} name={name} iconUrl={iconUrl} />
      <span class="quiet result-key">
        <span class="key">{toShortKey(votePubkey)}</span>
        {rank !== null && ` · rank ${rank}`}
        {delinquent && <span class="mark mark-delinquent">delinquent</span>}
      </span>
      <span class="result-verdict">
        {verdict === null ? <span class="quiet">left</span> : <VerdictWord level={verdict} />}
      </span>
      <Sol lamports={activeStake.lamports} />
    </li>
  );
}

function moveByArrows(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>("a[href]")];
  const next = links.findIndex((link) => link === document.activeElement) + step;
  const target = next < 0 ? document.getElementById("search") : links[next];
  event.preventDefault();
  target?.focus();
}

/** Copies of contract/search.ts, which brings its parser along. */
export const SEARCH_MIN_CODE_POINTS = 2;
export const SEARCH_MAX_CODE_POINTS = 100;

export function toSearched(text: string): string | null {
  const searched = text.normalize("NFC").trim();
  const length = Array.from(searched).length;
  return length >= SEARCH_MIN_CODE_POINTS && length <= SEARCH_MAX_CODE_POINTS ? searched : null;
}
