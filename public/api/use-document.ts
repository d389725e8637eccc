import { signal } from "@preact/signals";
import { useCallback, useEffect, useState } from "preact/hooks";
import { type Held, type Problem, read, recall, type Request } from "./client.ts";
import type { DocumentAddress } from "./documents.ts";

/** Held, a problem, both (the old document), or neither yet. */
export interface Resource<Document> {
  held: Held<Document> | null;
  problem: Problem | null;
  reload: () => void;
}

interface ReadOptions {
  /** Past the browser's cache. */
  everyMilliseconds?: number;
}

const RETRY_MILLISECONDS = 20_000;

export interface Loader<Document> {
  key: string;
  read: (how: { isFresh: boolean }) => Request<Document>;
  recall: () => Held<Document> | null;
}

interface Shown<Document> {
  key: string;
  held: Held<Document> | null;
  problem: Problem | null;
}

/**
 * Shows a remembered document at once and reads it again.
 * After a problem it retries while the page is visible.
 */
export function useDocument<Document>(
  address: DocumentAddress<Document> | null,
  options: ReadOptions = {},
): Resource<Document> {
  return useLoader(address === null ? null : toLoader(address), options);
}

function toLoader<Document>(address: DocumentAddress<Document>): Loader<Document> {
  return { key: address.url, read: (how) => read(address, how), recall: () => recall(address) };
}

export function useLoader<Document>(
  loader: Loader<Document> | null,
  { everyMilliseconds }: ReadOptions = {},
): Resource<Document> {
  const key = loader?.key ?? "";
  const [shown, setShown] = useState<Shown<Document>>({ key: "", held: null, problem: null });
  const [asked, setAsked] = useState({ key: "", times: 0 });
  const reload = useCallback(() => setAsked(({ times }) => ({ key, times: times + 1 })), [key]);

  useEffect(() => {
    if (loader === null) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = () =>
      document.hidden
        ? document.addEventListener("visibilitychange", reload, { once: true })
        : reload();
    const { answer, leave } = loader.read({
      isFresh: asked.key === key || everyMilliseconds !== undefined,
    });
    void answer.then((answer) => {
      if (isOver) return;
      if ("held" in answer) setShown({ key, held: answer.held, problem: null });
      else
        setShown((before) => ({
          key,
          held: before.key === key ? before.held : loader.recall(),
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
  useEffect(
    () => (problem !== null && isOfAll(problem) ? report({ problem, reload }) : undefined),
    [problem, reload],
  );

  if (loader === null) return { held: null, problem: null, reload };
  if (shown.key !== key) return { held: loader.recall(), problem: null, reload };
  return { held: shown.held, problem, reload };
}

function toWait(problem: Problem): number | undefined {
  if (problem.kind !== "refused") return RETRY_MILLISECONDS;
  if (problem.status === 429 || problem.status >= 500)
    return (problem.retryAfterSeconds ?? 0) * 1_000 || RETRY_MILLISECONDS;
  return undefined;
}

interface Trouble {
  problem: Problem;
  reload: () => void;
}

/** The shell shows them once, instead of each block. */
export const troubles = signal<readonly Trouble[]>([]);

/** No answer, or the rate limit. */
export function isOfAll(problem: Problem): boolean {
  return problem.kind === "unreachable" || isLimit(problem);
}

export function isLimit(problem: Problem): boolean {
  return problem.kind === "refused" && problem.code === "rate_limited";
}

function report(trouble: Trouble): () => void {
  troubles.value = [...troubles.peek(), trouble];
  return () => {
    troubles.value = troubles.peek().filter((other) => other !== trouble);
  };
}
