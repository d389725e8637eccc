import { authoritiesWithin } from "./authorities.ts";
import type { SearchRow, TransactionRow } from "../entries/entry.ts";
import type { Ledger, SearchRecord } from "./ledger.ts";
import type { Authority, ValidatorRecord } from "./records.ts";
import { isElsewhere } from "./told-transactions.ts";
import type { Panel } from "./witnesses.ts";

/*
 * Coverage: the slots in which we know every transaction of a withdraw authority, because a majority of witnesses
 * listed them all and each is decided. A pruned list looks complete, so a witness counts only from its first available
 * block.
 */

/** `upTo` is inclusive. */
export interface Span {
  after: number;
  upTo: number;
}

export function isCovered(validator: ValidatorRecord, span: Span): boolean {
  if (span.after >= span.upTo) return true;
  const authorities = authoritiesWithin(validator, span);
  return (
    authorities.length > 0 &&
    authorities.every(({ authority, after, upTo }) =>
      authority.covered.some((covered) => covered[0] <= after && covered[1] >= upTo),
    )
  );
}

/** @param undecided listed transactions on which witnesses disagree */
export function keepSearch(
  { searches, validators }: Pick<Ledger, "searches" | "validators">,
  { authority: key, answers }: SearchRow,
  { panel, undecided, at }: { panel: Panel; undecided: readonly TransactionRow[]; at: { time: string; slot: number } },
): void {
  const spans = findAgreed(answers, panel.majority);
  const span = spans.find(({ whole, ...own }) =>
    undecided.every((row) => isElsewhere(row, panel, { span: own, whole })),
  );
  const outcome = span !== undefined ? "covered" : spans.length > 0 ? "failed" : outcomeOf(answers);
  searches.set(key, { ...at, outcome });
  if (span === undefined) return;
  for (const { authorities } of validators)
    for (const authority of authorities)
      if (authority.key === key) authority.covered = mergeSpan(authority.covered, span);
}

export function gapsWithin(covered: Authority["covered"], { after, upTo }: Span): Span[] {
  const gaps: Span[] = [];
  let reached = after;
  for (const [from, to] of covered) {
    if (to <= reached || from >= upTo) continue;
    if (from > reached) gaps.push({ after: reached, upTo: from });
    reached = to;
  }
  if (reached < upTo) gaps.push({ after: reached, upTo });
  return gaps;
}

interface AgreedSpan extends Span {
  /** Panel positions of the witnesses that list all of it. */
  whole: Set<number>;
}

function findAgreed(answers: SearchRow["answers"], enough: number): AgreedSpan[] {
  const told = answers.flatMap((answer, place) => (answer.state === "ok" ? [{ ...answer, place }] : []));
  const wholeOf = ({ after, upTo }: Span) => told.filter((one) => one.after <= after && one.upTo >= upTo);
  return told
    .flatMap(({ after }) => told.map(({ upTo }) => ({ after, upTo })))
    .filter(({ after, upTo }) => after < upTo)
    .map((span) => ({ ...span, whole: new Set(wholeOf(span).map(({ place }) => place)) }))
    .filter(({ whole }) => whole.size >= enough)
    .sort((a, b) => b.upTo - b.after - (a.upTo - a.after));
}

function outcomeOf(answers: SearchRow["answers"]): SearchRecord["outcome"] {
  if (answers.some(({ state }) => state === "busy")) return "busy";
  return answers.some((answer) => answer.state === "failed" && answer.isRefused) ? "refused" : "failed";
}

function mergeSpan(covered: Authority["covered"], { after, upTo }: Span): Authority["covered"] {
  const merged: Authority["covered"] = [];
  const spans = [...covered, [after, upTo] as [number, number]].sort((a, b) => a[0] - b[0]);
  for (const [from, to] of spans) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}
