import type { SearchRow } from "../entries/entry.ts";
import { findReached, isMajority } from "./majority.ts";

/**
 * Finds the slot of the cluster when searches were read: as far as accepted observations or a
 * majority of the lists reach.
 * @param size number of witnesses in the panel
 * @param accepted slot of the newest accepted observation
 */
export function findSearchedAt(
  searches: readonly Pick<SearchRow, "answers">[],
  size: number,
  accepted: number,
): number {
  const reached: number[] = [];
  for (const { answers } of searches)
    for (const [position, answer] of answers.entries())
      if (answer.state === "ok") reached[position] = Math.max(reached[position] ?? -1, answer.upTo);
  // A witness that claims to be further than it is must not decide: slots that its index lacks
  // would count as covered.
  const agreed = findReached(
    reached.filter((slot) => slot >= 0),
    size,
  );
  return Math.max(accepted, agreed ?? accepted);
}

interface AgreedSpan {
  after: number;
  /** The last slot of the span; `after` is exclusive. */
  upTo: number;
  /** Positions in the panel of the witnesses that list all of the span. */
  whole: Set<number>;
}

/**
 * Finds spans of slots that a majority lists completely, the longest first.
 * @param size number of witnesses in the panel
 * @param coverable last slot that a span may reach
 */
export function findAgreedSpans(
  answers: SearchRow["answers"],
  size: number,
  coverable: number,
): AgreedSpan[] {
  const listings = answers.flatMap((answer, position) =>
    answer.state === "ok" ? [{ ...answer, position }] : [],
  );
  const wholeOf = ({ after, upTo }: Pick<AgreedSpan, "after" | "upTo">) =>
    listings.filter((one) => one.after <= after && one.upTo >= upTo);
  return listings
    .flatMap(({ after }) =>
      listings.map(({ upTo }) => ({ after, upTo: Math.min(upTo, coverable) })),
    )
    .filter(({ after, upTo }) => after < upTo)
    .map((span) => ({ ...span, whole: new Set(wholeOf(span).map(({ position }) => position)) }))
    .filter(({ whole }) => isMajority(whole.size, size))
    .sort((a, b) => b.upTo - b.after - (a.upTo - a.after));
}

/** Returns why no majority lists anything. */
export function outcomeOf(answers: SearchRow["answers"]): "busy" | "refused" | "failed" {
  if (answers.some(({ state }) => state === "busy")) return "busy";
  return isRefusedByPanel(answers) ? "refused" : "failed";
}

/** Whether so many witnesses keep no transactions that the others are no majority. */
export function isRefusedByPanel(answers: SearchRow["answers"]): boolean {
  const others = answers.filter((answer) => answer.state !== "failed" || !answer.isRefused);
  return !isMajority(others.length, answers.length);
}
