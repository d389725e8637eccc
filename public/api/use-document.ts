import { signal } from "@preact/signals";
import { useCallback, useEffect, useState } from "preact/hooks";
import { type Held, type Problem, read, recall, type Request } from "./client.ts";
import type { DocumentAddress } from "./documents.ts";

/** A document on its way to a page: there may be one, a problem, both (an old one is shown on) or neither yet. */
export interface Reading<Document> {
  held: Held<Document> | null;
  problem: Problem | null;
  /** Asks again at once. */
  reload: () => void;
}

interface ReadOptions {
  /** Reads it again after so long while the page is seen, past the browser's cache. */
  everyMilliseconds?: number;
}

/** After a problem that does not say when to ask again. */
const RETRY_MILLISECONDS = 20_000;

/** What is read: one document, or what is made of several. */
export interface Source<Document> {
  /** Tells sources apart: another key is another reading. */
  key: string;
  read: (how: { isFresh: boolean }) => Request<Document>;
  /** What was read of it last, be it old. */
  recall: () => Held<Document> | null;
}

interface Shown<Document> {
  key: string;
  held: Held<Document> | null;
  problem: Problem | null;
}

/**
 * Reads a document while the component is there; null reads none. What was read before at the address is shown at once and
 * read again. A problem is tried again by itself, when the API says or after 20 s, but not while the page is hidden.
 */
export function useDocument<Document>(
  address: DocumentAddress<Document> | null,
  options: ReadOptions = {},
): Reading<Document> {
  return useSource(address === null ? null : toSource(address), options);
}

function toSource<Document>(address: DocumentAddress<Document>): Source<Document> {
  return { key: address.url, read: (how) => read(address, how), recall: () => recall(address) };
}

/** The same for what is no single document. */
export function useSource<Document>(
  source: Source<Document> | null,
  { everyMilliseconds }: ReadOptions = {},
): Reading<Document> {
  const key = source?.key ?? "";
  const [shown, setShown] = useState<Shown<Document>>({ key: "", held: null, problem: null });
  const [asked, setAsked] = useState({ key: "", times: 0 });
  const reload = useCallback(() => setAsked(({ times }) => ({ key, times: times + 1 })), [key]);

  useEffect(() => {
    if (source === null) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = () =>
      document.hidden ? document.addEventListener("visibilitychange", reload, { once: true }) : reload();
    const { answer, leave } = source.read({ isFresh: asked.key === key || everyMilliseconds !== undefined });
    void answer.then((answer) => {
      if (isOver) return;
      if ("held" in answer) setShown({ key, held: answer.held, problem: null });
      else
        setShown((before) => ({
          key,
          held: before.key === key ? before.held : source.recall(),
          problem: answer.problem,
        }));
      const wait = "problem" in answer ? toWait(answer.problem) : everyMilliseconds;
      if (wait !== undefined) timer = setTimeout(again, wait);
    });
    return () => {
      isOver = true;
      leave();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", reload);
    };
  }, [key, asked, everyMilliseconds]);

  const problem = shown.key === key ? shown.problem : null;
  useEffect(() => (problem !== null && isOfAll(problem) ? report({ problem, reload }) : undefined), [problem, reload]);

  if (source === null) return { held: null, problem: null, reload };
  if (shown.key !== key) return { held: source.recall(), problem: null, reload };
  return { held: shown.held, problem, reload };
}

/** Until it is worth asking again; undefined: asking again would bring the same. */
function toWait(problem: Problem): number | undefined {
  if (problem.kind !== "refused") return RETRY_MILLISECONDS;
  if (problem.status === 429 || problem.status >= 500)
    return (problem.retryAfterSeconds ?? 0) * 1_000 || RETRY_MILLISECONDS;
  return undefined;
}

/** A reading that got nowhere, for a reason that is none of its own. */
interface Trouble {
  problem: Problem;
  reload: () => void;
}

/** Those of the page that is shown: the shell says once what each of its blocks would say. */
export const troubles = signal<readonly Trouble[]>([]);

/** Whether a problem is one of the whole API, and not of one document: it is not there, or the reader's limit is reached. */
export function isOfAll(problem: Problem): boolean {
  return problem.kind === "unreachable" || isLimit(problem);
}

/** Whether waiting is all that helps. */
export function isLimit(problem: Problem): boolean {
  return problem.kind === "refused" && problem.code === "rate_limited";
}

/** Adds a trouble; the function that it gives takes it out again. */
function report(trouble: Trouble): () => void {
  troubles.value = [...troubles.peek(), trouble];
  return () => {
    troubles.value = troubles.peek().filter((other) => other !== trouble);
  };
}
