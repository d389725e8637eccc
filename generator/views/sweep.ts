import type { Ledger } from "../ledger/ledger.ts";
import { countContradictions } from "./contradictions.ts";
import { UNINDEXED_SLOTS } from "../chain/slots.ts";
import { isRefused } from "./searches-due.ts";

export interface Sweep {
  /** With a known withdraw authority. */
  validators: number;
  /** Of them, up to `upToSlot`. */
  covered: number;
  upToSlot: number | null;
  /** They sign too much to search. */
  busy: { authority: string; votes: string[] }[];
  /** No majority of witnesses keeps a transaction history. */
  refused: number;
  contradictions: number;
}

/** Each authority's turn comes once an epoch. */
const COVERED_EPOCHS = 2;

export function summariseSweep(ledger: Ledger): Sweep {
  const holders = ledger.validators.flatMap(({ listed, vote, authorities }) => {
    const authority = authorities.at(-1);
    return listed && authority !== undefined
      ? [{ vote, key: authority.key, covered: authority.covered }]
      : [];
  });
  const now = ledger.acceptance.newest?.slot ?? 0;
  const oldest = now - UNINDEXED_SLOTS - COVERED_EPOCHS * (ledger.epochs.at(-1)?.slotsInEpoch ?? 0);
  const reached = holders.flatMap(({ covered }) => {
    const upTo = covered.at(-1)?.[1] ?? -1;
    return upTo >= oldest && upTo >= 0 ? [upTo] : [];
  });
  const outcomeOf = (key: string) => ledger.searches.get(key)?.outcome;
  const busy = Map.groupBy(
    holders.filter(({ key }) => outcomeOf(key) === "busy"),
    ({ key }) => key,
  );
  return {
    validators: holders.length,
    covered: reached.length,
    upToSlot: reached.length === 0 ? null : Math.min(...reached),
    busy: [...busy].map(([authority, own]) => ({ authority, votes: own.map(({ vote }) => vote) })),
    refused: isRefused(ledger)
      ? holders.length - reached.length
      : holders.filter(({ key }) => outcomeOf(key) === "refused").length,
    contradictions: countContradictions(ledger),
  };
}
