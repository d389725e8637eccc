import type { Ledger } from "../ledger/ledger.ts";
import { gapsWithin } from "../ledger/proof/coverage.ts";
import { countContradictions } from "./contradictions.ts";
import { UNINDEXED_SLOTS } from "../chain/slots.ts";
import { isRefused } from "./searches-due.ts";

/** How far searches have covered the current withdraw authorities. Counts are of validators. */
export interface Sweep {
  /** Listed validators with a known withdraw authority. */
  validators: number;
  /** How many of them are covered up to `upToSlot`. */
  covered: number;
  upToSlot: number | null;
  /** Authorities that sign too much to search, with their vote accounts. */
  busy: { authority: string; votes: string[] }[];
  /**
   * Validators whose authority no majority of witnesses can search: none keeps a transaction
   * history.
   */
  refused: number;
  contradictions: number;
}

/** Each authority is searched once an epoch. */
const COVERED_EPOCHS = 2;

/** Summarises the sweep over listed validators. */
export function summariseSweep(ledger: Ledger): Sweep {
  const holders = ledger.validators.flatMap(({ listed, vote, authorities }) => {
    const authority = authorities.at(-1);
    return listed && authority !== undefined ? [{ vote, authority }] : [];
  });
  const now = ledger.acceptance.newest?.slot ?? 0;
  const oldest = now - UNINDEXED_SLOTS - COVERED_EPOCHS * (ledger.epochs.at(-1)?.slotsInEpoch ?? 0);
  const reached = holders.flatMap(({ authority: { from, covered } }) => {
    const after = Math.max(oldest, from);
    const upTo = gapsWithin(covered, { after, upTo: now }).at(0)?.after ?? now;
    return upTo > after ? [upTo] : [];
  });
  const outcomeOf = (key: string) => ledger.searches.get(key)?.outcome;
  const busy = Map.groupBy(
    holders.filter(({ authority }) => outcomeOf(authority.key) === "busy"),
    ({ authority }) => authority.key,
  );
  return {
    validators: holders.length,
    covered: reached.length,
    upToSlot: reached.length === 0 ? null : Math.min(...reached),
    busy: [...busy].map(([authority, own]) => ({ authority, votes: own.map(({ vote }) => vote) })),
    refused: isRefused(ledger)
      ? holders.length - reached.length
      : holders.filter(({ authority }) => outcomeOf(authority.key) === "refused").length,
    contradictions: countContradictions(ledger),
  };
}
