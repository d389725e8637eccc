import { useEffect, useState } from "preact/hooks";
import type { Network } from "../../generator/contract/networks.ts";
import { apiNow } from "../api/clock.ts";
import { toExplorerAddress } from "../format/url.ts";
import { toAgo, toExactSol, toShortKey, toShortSol, toUtc } from "../format/values.ts";

/** How long ago something was, by the API's clock; the time itself for who points at it, or while the clock is not known. */
export function Ago({ time }: { time: string }) {
  const now = apiNow.value;
  const utc = toUtc(time);
  return (
    <time dateTime={time} title={utc}>
      {now === null ? utc : toAgo(now - Date.parse(time))}
    </time>
  );
}

/** An amount of stake, short; to the lamport for who points at it. */
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

const WORDS: Record<Outcome, string> = { copied: "Copied", failed: "Select it, then copy" };

/** Copies a text. Says so, and says what to do where the browser forbids it (it does on pages without https). */
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
    // Not a secure context, or the reader said no.
    return "failed";
  }
}

interface ChainNameProps {
  kind: "tx" | "address";
  /** A signature or a key, Base58. */
  name: string;
  network: Network;
  /** What it is, for who copies it: "the signature". */
  what: string;
}

/** A transaction or an account by the ends of its name, to be looked up in a public explorer where it is known, and copied. */
export function ChainName({ kind, name, network, what }: ChainNameProps) {
  const address = toExplorerAddress(kind, name, network);
  const short = <span class="key">{toShortKey(name)}</span>;
  return (
    <span class="chain-name">
      {address === null ? (
        <span title={name}>{short}</span>
      ) : (
        <a href={address} target="_blank" rel="noreferrer" title={name}>
          {short}
          <span class="visually-hidden"> in the explorer, a new page</span>
        </a>
      )}{" "}
      <CopyButton text={name} what={what} />
    </span>
  );
}
