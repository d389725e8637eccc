import { useEffect, useRef, useState } from "preact/hooks";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { toShortKey } from "../../format/values.ts";
import { chooseResult } from "../../parts/choose-result.ts";
import { LookUp } from "../../parts/LookUp.tsx";
import { toSearched } from "../../parts/Search.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { ValidatorIcon } from "../../parts/ValidatorName.tsx";
import { VerdictWord } from "../../parts/VerdictWord.tsx";

const PAUSE_MILLISECONDS = 200;
const SHOWN_MAX = 6;

interface AddValidatorProps {
  /** Already there. */
  votes: readonly string[];
  onAdd: (votePubkey: string) => void;
}

/** Finds a validator by name or key, and adds it. */
export function AddValidator({ votes, onAdd }: AddValidatorProps) {
  const { network } = useUrl();
  const [text, setText] = useState("");
  const searched = useAfterPause(toSearched(text));
  const { held } = useDocument(searched === null ? null : documents.search(network, searched));
  const found = (searched === null ? undefined : held?.document.data)?.filter(
    ({ votePubkey }) => !votes.includes(votePubkey),
  );
  const list = useRef<HTMLUListElement>(null);
  const add = (votePubkey: string) => {
    setText("");
    onAdd(votePubkey);
  };
  return (
    <div class="add-validator">
      <LookUp
        id="add-validator"
        label="Add a validator by name or key"
        type="search"
        value={text}
        maxLength={100}
        hint="Results appear as you type. Press Enter to go to them; a single result is added at once."
        isHintHidden
        labelled="beside"
        onType={setText}
        onSubmit={() => {
          // They may belong to an earlier text.
          if (searched === toSearched(text))
            chooseResult(list.current?.querySelectorAll("button") ?? []);
        }}
      />
      <p class="visually-hidden" role="status">
        {found !== undefined && `${found.length} found`}
      </p>
      {found?.length === 0 && <p class="quiet">No other validator has this in its name or key.</p>}
      {found !== undefined && found.length > 0 && (
        <ul ref={list}>
          {found.slice(0, SHOWN_MAX).map(({ votePubkey, name, iconUrl, verdict }) => (
            <li key={votePubkey}>
              <button type="button" class="button" onClick={() => add(votePubkey)}>
                <ValidatorIcon iconUrl={iconUrl} votePubkey={votePubkey} />
                <bdi class="name">{name ?? toShortKey(votePubkey)}</bdi>
                {verdict !== null && <VerdictWord level={verdict} />}
                <span class="visually-hidden">: add</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** While somebody types, nothing is asked. */
function useAfterPause(value: string | null): string | null {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [value]);
  return value === null ? null : settled;
}
