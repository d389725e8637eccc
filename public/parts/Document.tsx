import type { ComponentChildren } from "preact";
import { toSentence, type Problem } from "../api/envelope.ts";
import type { Reading } from "../api/use-document.ts";

interface DocumentProps<Document> {
  reading: Reading<Document>;
  /** Lines that the place is kept for while it loads, so that nothing jumps. */
  lines?: number;
  /** Instead of the content where this says that there is nothing to show. */
  isEmpty?: (document: Document) => boolean;
  empty?: ComponentChildren;
  /** Instead of the usual words for some problems, say a 404 that is no fault; undefined: the usual words. */
  describe?: (problem: Problem) => ComponentChildren;
  children: (document: Document) => ComponentChildren;
}

/**
 * Shows a document in whatever state it is: loading, empty, failed, or old. Each block of a page has its own, so that one
 * document that fails leaves the others as they are. What is held is shown on while it cannot be read anew.
 */
export function Document<Document>(props: DocumentProps<Document>) {
  const { reading, lines = 4, isEmpty, empty = "Nothing yet.", describe, children } = props;
  const { held, problem, reload } = reading;
  if (held === null && problem === null) return <Loading lines={lines} />;
  if (held === null) {
    const words = problem === null ? undefined : describe?.(problem);
    return words === undefined ? <Trouble problem={problem} reload={reload} /> : <p class="state">{words}</p>;
  }
  return (
    <>
      {(problem !== null || held.isStale) && <Stale problem={problem} reload={reload} />}
      {isEmpty?.(held.document) === true ? <p class="state">{empty}</p> : children(held.document)}
    </>
  );
}

function Loading({ lines }: { lines: number }) {
  return (
    <div class="loading" role="status">
      <span class="visually-hidden">Loading</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} class="loading-line" aria-hidden="true" />
      ))}
    </div>
  );
}

function Trouble({ problem, reload }: { problem: Problem | null; reload: () => void }) {
  return (
    <div class="state state-problem" role="alert">
      <p>{problem !== null && toSentence(problem)}</p>
      <button type="button" class="button" onClick={reload}>
        Try again
      </button>
    </div>
  );
}

/** Above what is shown on: that it is not new, and why. */
function Stale({ problem, reload }: { problem: Problem | null; reload: () => void }) {
  return (
    <p class="stale" role="status">
      <strong>Not up to date.</strong> {problem === null ? "The API shows what it last held." : toSentence(problem)}{" "}
      {problem !== null && (
        <button type="button" class="link-button" onClick={reload}>
          Try again
        </button>
      )}
    </p>
  );
}
