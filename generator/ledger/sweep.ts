import type { Ledger } from "./ledger.ts";
import { countContradictions } from "./contradictions.ts";
import { isRefused } from "./searches-due.ts";

/** How far the transactions of withdraw authorities were searched. */
export interface Sweep {
  /** Listed validators of which a withdraw authority is known. */
  validators: number;
  /** Of them those of which every transaction is known up to `upToSlot`. */
  covered: number;
  /** null: none is covered. */
  upToSlot: number | null;
  /** Authorities that sign too much to be searched, and the vote accounts that are theirs. */
  busy: { authority: string; votes: string[] }[];
  /** Validators that no majority of the witnesses could be asked about: they keep no history of transactions. */
  refused: number;
  /** Commissions that were read and that proved transactions contradict. */
  contradictions: number;
}

/** A validator counts as covered while its authority was searched in the last so many epochs: it is its turn once an epoch. */
const COVERED_EPOCHS = 2;

/** Counts what the searches cover. */
export function summariseSweep(ledger: Ledger): Sweep {
  const holders = ledger.validators.flatMap(({ listed, vote, authorities }) => {
    const authority = authorities.at(-1);
    return listed && authority !== undefined ? [{ vote, key: authority.key, covered: authority.covered }] : [];
  });
  const now = ledger.acceptance.newest?.slot ?? 0;
  const oldest = now - COVERED_EPOCHS * (ledger.epochs.at(-1)?.slotsInEpoch ?? 0);
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
