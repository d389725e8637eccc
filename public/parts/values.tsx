import { useEffect, useState } from "preact/hooks";
import { apiNow } from "../api/clock.ts";
import { toExplorerAddress } from "../format/url.ts";
import { toAgo, toExactSol, toShortKey, toShortSol } from "../format/values.ts";
import { useUrl } from "./use-url.ts";
import { toTimeText } from "./zone.ts";

export function Ago({ time }: { time: string }) {
  const now = apiNow.value;
  const text = toTimeText(time);
  return (
    <time dateTime={time} title={text}>
      {now === null ? text : toAgo(now - Date.parse(time))}
    </time>
  );
}

/** A date and a time of day; a line ends nowhere but between the two. */
export function Moment({ time }: { time: string }) {
  const [date, ...hour] = toTimeText(time).split(" ");
  return (
    <time dateTime={time}>
      <span class="date">{date}</span> <span class="date">{hour.join(" ")}</span>
    </time>
  );
}

export function Sol({ lamports }: { lamports: string }) {
  return (
    <span class="amount" title={`${toExactSol(lamports)} SOL`}>
      {toShortSol(lamports)}
      <span class="unit"> SOL</span>
    </span>
  );
}

const SHOWN_MILLISECONDS = 2_500;

type Outcome = "copied" | "failed";

const WORDS: Record<Outcome, string> = { copied: "Copied", failed: "Select the text and copy it" };

export function CopyButton({ text, what }: { text: string; what: string }) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [outcome]);
  return (
    <span class="copy">
      <button
        type="button"
        class="link-button"
        aria-label={`Copy ${what}`}
        onClick={() => void copy(text).then(setOutcome)}
      >
        Copy
      </button>
      <span class="quiet" role="status">
        {outcome !== null && WORDS[outcome]}
      </span>
    </span>
  );
}

async function copy(text: string): Promise<Outcome> {
  try {
    await navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    return "failed";
  }
}

interface ChainNameProps {
  kind: "tx" | "address";
  name: string;
  what: string;
}

export function ChainName({ kind, name, what }: ChainNameProps) {
  const { network } = useUrl();
  const address = toExplorerAddress(kind, name, network);
  const short = <span class="key">{toShortKey(name)}</span>;
  return (
    <span class="chain-name">
      {address === null ? (
        <span title={name}>{short}</span>
      ) : (
        <a href={address} target="_blank" rel="noreferrer" title={name}>
          {short}
          <span class="visually-hidden"> in the explorer (new page)</span>
        </a>
      )}{" "}
      <CopyButton text={name} what={what} />
    </span>
  );
}
