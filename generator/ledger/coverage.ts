import { authoritiesWithin } from "./authorities.ts";
import { findAgreedSpans, outcomeOf } from "../agree/searches.ts";
import { isElsewhere } from "../agree/transactions.ts";
import type { SearchRow, TransactionRow } from "../entries/entry.ts";
import type { Ledger } from "./ledger.ts";
import type { Authority, ValidatorRecord } from "./records.ts";

/*
 * Coverage: the slots in which we know every transaction of a withdraw authority, because a majority of witnesses
 * listed them all and each is decided. A pruned list looks complete, so a witness counts only from its first available
 * block; a list may lack the newest slots, so they are never covered.
 */

/** A node answers before its index has the newest slots (`getSignaturesForAddress`, Agave 4.2). */
export const UNINDEXED_SLOTS = 300;

/** `upTo` is inclusive. */
export interface Span {
  after: number;
  upTo: number;
}

/**
 * Whether every transaction that any of its authorities signed in these slots is known. Slots become covered by a search
 * at least {@link UNINDEXED_SLOTS} later.
 */
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

interface Circumstances {
  /** Witnesses of the panel. */
  size: number;
  /** Listed transactions on which witnesses disagree. */
  undecided: readonly TransactionRow[];
  /** Its slot by `findSearchedAt`. */
  at: { time: string; slot: number };
}

/** Returns what it covers. */
export function keepSearch(
  { searches, validators }: Pick<Ledger, "searches" | "validators">,
  { authority: key, answers }: SearchRow,
  { size, undecided, at }: Circumstances,
): Span | null {
  const listed = findAgreedSpans(answers, size, Infinity);
  const spans = findAgreedSpans(answers, size, at.slot - UNINDEXED_SLOTS);
  const span = spans.find(({ whole, ...own }) =>
    undecided.every((row) => isElsewhere(row, size, { span: own, whole })),
  );
  const isListed = span !== undefined || (listed.length > 0 && spans.length === 0);
  searches.set(key, { ...at, outcome: isListed ? "covered" : listed.length > 0 ? "failed" : outcomeOf(answers) });
  if (span === undefined) return null;
  for (const { authorities } of validators)
    for (const authority of authorities)
      if (authority.key === key) authority.covered = mergeSpan(authority.covered, span);
  return span;
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
