import { agree } from "../../agree/agree.ts";
import type { NamedEntry } from "../../entries/entry.ts";
import type { NamedRuling } from "../../entries/ruling.ts";
import { expectationsOf } from "../../ledger/expectations.ts";
import { fold, type Folded } from "../../ledger/fold.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { foldRuling } from "../../ledger/rulings.ts";
import { createTouched, type Touched } from "../../ledger/touched.ts";
import { recordChanges } from "./record-changes.ts";
import { updateEvents } from "./update-events.ts";

/**
 * Folds what the panel of an entry agrees on, and derives the events of touched validators again.
 * It consumes `ledger`.
 */
export function foldEntry(ledger: Ledger, { name, hash, entry }: NamedEntry): Folded {
  const folded = fold(ledger, { name, hash, ...agree(entry, expectationsOf(ledger, entry)) });
  updateEvents(folded, entry.time);
  recordChanges(folded, entry.time);
  return folded;
}

/** Consumes `ledger`. Returns what it changed. */
export function applyRuling(ledger: Ledger, named: NamedRuling): Touched {
  foldRuling(ledger, named);
  const { ruledAt } = named.ruling;
  // A ruling makes another edition.
  const touched = { ...createTouched(), changesSince: 1 };
  updateEvents({ ledger, touched }, ruledAt);
  recordChanges({ ledger, touched }, ruledAt);
  return touched;
}
