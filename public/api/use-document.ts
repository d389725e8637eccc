import { signal } from "@preact/signals";
import { useCallback, useEffect, useLayoutEffect, useState } from "preact/hooks";
import { type Held, isLimit, type Problem, read, recall, type Request } from "./client.ts";
import type { DocumentAddress } from "./documents.ts";

/** Held, a problem, both (the old document), or neither yet. */
export interface Resource<Document> {
  held: Held<Document> | null;
  problem: Problem | null;
  reload: () => void;
}

interface ReadOptions {
  /** Past the browser's cache, once what another page has read is as old. */
  everyMilliseconds?: number;
  /** Asks before all others of the page: who is near the limit gets this one. Never changes. */
  isFirst?: boolean;
}

const RETRY_MILLISECONDS = 20_000;
/** The least that browsers may keep an answer for (contract/cache.ts). */
const FRESH_MILLISECONDS = 15_000;

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
  { everyMilliseconds, isFirst = false }: ReadOptions = {},
): Resource<Document> {
  const key = loader?.key ?? "";
  const [shown, setShown] = useState<Shown<Document>>({ key: "", held: null, problem: null });
  const [asked, setAsked] = useState({ key: "", times: 0 });
  const reload = useCallback(() => setAsked(({ times }) => ({ key, times: times + 1 })), [key]);

  const held = shown.key === key ? shown.held : (loader?.recall() ?? null);
  const useStart = isFirst ? useLayoutEffect : useEffect;
  useStart(() => {
    if (loader === null) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = () =>
      document.hidden
        ? document.addEventListener("visibilitychange", reload, { once: true })
        : reload();
    const stop = () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", reload);
    };
    const known = loader.recall();
    const age = performance.now() - (known?.readAt ?? -Infinity);
    if (asked.key !== key && age < (everyMilliseconds ?? FRESH_MILLISECONDS)) {
      // Another block's answer may have come since this one was drawn.
      if (known !== held) setShown({ key, held: known, problem: null });
      if (everyMilliseconds !== undefined) timer = setTimeout(again, everyMilliseconds - age);
      return stop;
    }
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
      stop();
    };
  }, [key, asked, everyMilliseconds]);

  const problem = shown.key === key ? shown.problem : null;
  useEffect(
    () =>
      problem !== null && isOfAll(problem)
        ? report({ problem, endsAt: toEnd(problem), reload })
        : undefined,
    [problem, reload],
  );

  return { held, problem, reload };
}

function toWait(problem: Problem): number | undefined {
  if (problem.kind !== "refused") return RETRY_MILLISECONDS;
  if (problem.status === 429 || problem.status >= 500)
    return (problem.retryAfterSeconds ?? 0) * 1_000 || RETRY_MILLISECONDS;
  return undefined;
}

interface Trouble {
  problem: Problem;
  /** Of performance.now(), of the limit; null: by hand. */
  endsAt: number | null;
  reload: () => void;
}

/** The shell shows them once, instead of each block. */
export const troubles = signal<readonly Trouble[]>([]);

/** No answer, or the rate limit. */
export function isOfAll(problem: Problem): boolean {
  return problem.kind === "unreachable" || isLimit(problem);
}

function toEnd(problem: Problem): number | null {
  return isLimit(problem) ? performance.now() + (toWait(problem) ?? 0) : null;
}

function report(trouble: Trouble): () => void {
  troubles.value = [...troubles.peek(), trouble];
  return () => {
    troubles.value = troubles.peek().filter((other) => other !== trouble);
  };
}
