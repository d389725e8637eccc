import { agree } from "../agree/agree.ts";
import type { NamedEntry } from "../entries/entry.ts";
import { expectationsOf } from "../ledger/expectations.ts";
import { fold, type Folded } from "../ledger/fold.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { updateEvents } from "../views/events/update.ts";

/** Folds what the panel of an entry agrees on, and makes the events that it touched anew. Consumes `ledger`. */
export function foldEntry(ledger: Ledger, { name, entry }: NamedEntry): Folded {
  const folded = fold(ledger, { name, ...agree(entry, expectationsOf(ledger, entry)) });
  updateEvents(folded, entry.time);
  return folded;
}
