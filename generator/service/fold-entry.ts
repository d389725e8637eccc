import { agree } from "../agree/agree.ts";
import type { NamedEntry } from "../entries/entry.ts";
import { expectationsOf } from "../ledger/expectations.ts";
import { fold, type Folded } from "../ledger/fold.ts";
import type { Ledger } from "../ledger/ledger.ts";

/** Folds what the panel of an entry agrees on. Consumes `ledger`. */
export function foldEntry(ledger: Ledger, { name, entry }: NamedEntry): Folded {
  return fold(ledger, { name, ...agree(entry, expectationsOf(ledger, entry)) });
}
