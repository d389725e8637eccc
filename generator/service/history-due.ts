import { getU16 } from "../ledger/columns.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { ValidatorRecord } from "../ledger/records.ts";

/** Closed epochs, the first and the last included. */
export interface EpochSpan {
  first: number;
  last: number;
}

/** So many closed epochs before the running one; null: there are none. */
export function closedSpan(running: number, epochs: number): EpochSpan | null {
  return running === 0 ? null : { first: Math.max(0, running - epochs), last: running - 1 };
}

/**
 * The vote accounts that a public history is still to be asked for, in the order of their keys: those with an epoch in the
 * span that was neither observed nor read before. The ledger tells, so a run that was stopped goes on where it was.
 */
export function dueVotes(ledger: Ledger, { first, last }: EpochSpan): string[] {
  const epochs = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const isKnown = (validator: ValidatorRecord, ordinal: number) => (epoch: number) =>
    isWithin(validator.history, epoch) || getU16(ledger.inflation, epoch, ordinal) !== null;
  return ledger.validators
    .filter((validator, ordinal) => !epochs.every(isKnown(validator, ordinal)))
    .map(({ vote }) => vote)
    .sort();
}

/** One that the source answered for before: whether it still answers is to be asked about this one. */
export function findWitness(ledger: Ledger): string | null {
  return ledger.validators.find(({ history }) => history !== null)?.vote ?? null;
}

function isWithin(span: EpochSpan | null, epoch: number): boolean {
  return span !== null && span.first <= epoch && epoch <= span.last;
}
