import { useEffect, useState } from "preact/hooks";

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
