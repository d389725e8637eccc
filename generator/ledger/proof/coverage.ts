import { authoritiesKnownAfter, authoritiesWithin } from "./authorities.ts";
import type { AgreedSearch } from "../../agree/transactions.ts";
import type { Ledger } from "../ledger.ts";
import type { Authority, ValidatorRecord } from "../records.ts";

/*
 * Coverage: the slots in which we know every transaction of a withdraw
 * authority, because a majority of witnesses listed them all and each is
 * decided. A pruned list looks complete, so a witness counts only from its first
 * available block; a list may lack the newest slots, so they are never covered.
 */

/** Slots above `after` up to and including `upTo`. */
export interface Span {
  after: number;
  upTo: number;
}

/**
 * Whether every transaction that a withdraw authority of the account signed in these slots is
 * known. Slots become covered by a search at least `UNINDEXED_SLOTS` later.
 */
export function isCovered(validator: ValidatorRecord, span: Span): boolean {
  if (span.after >= span.upTo) return true;
  return span.after >= authoritiesKnownAfter(validator) && isSearched(validator, span);
}

/**
 * Whether every transaction that its known authorities signed in these slots is known. It is
 * coverage only if no other key was the authority before the first of them.
 */
export function isSearched(validator: ValidatorRecord, span: Span): boolean {
  if (span.after >= span.upTo) return true;
  const authorities = authoritiesWithin(validator, span);
  return (
    authorities.length > 0 &&
    authorities.every(({ authority, after, upTo }) =>
      authority.covered.some((covered) => covered[0] <= after && covered[1] >= upTo),
    )
  );
}

/**
 * Records a search and what it covers.
 * @param at when and where the cluster was when it was searched
 */
export function keepSearch(
  { searches, validators }: Pick<Ledger, "searches" | "validators">,
  { authority: key, outcome, covered }: AgreedSearch,
  at: { time: string; slot: number },
): void {
  searches.set(key, { ...at, outcome });
  if (covered === null) return;
  for (const { authorities } of validators)
    for (const authority of authorities)
      if (authority.key === key) authority.covered = mergeSpan(authority.covered, covered);
}

/** The parts of a span that no search covers, ascending. */
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
