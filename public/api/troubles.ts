import { signal } from "@preact/signals";
import type { Problem } from "./envelope.ts";

/** A reading that got nowhere, for a reason that is none of its own. */
export interface Trouble {
  problem: Problem;
  reload: () => void;
}

/** Those of the page that is shown: app/Outage.tsx says once what each of its blocks would say. */
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
export function report(trouble: Trouble): () => void {
  troubles.value = [...troubles.peek(), trouble];
  return () => {
    troubles.value = troubles.peek().filter((other) => other !== trouble);
  };
}
