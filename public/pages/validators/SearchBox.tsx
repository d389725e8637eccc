import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useUrl } from "../../app/use-url.ts";
import { toSearched } from "./search-text.ts";

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
