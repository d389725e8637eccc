import type { Source } from "../contract/event.ts";
import type { Ledger } from "./ledger.ts";
import type { Commission, MevState, Moment, Pending, ValidatorRecord } from "./records.ts";

/** The next observation decides about a pending change only when it is at least so much later. */
const SECOND_READING_MILLISECONDS = 30_000;

/** More new changes than both of these in one answer put the source itself in doubt. */
const MASS_CHANGES = 20;
const MASS_PERCENT = 5;
const MASS_OBSERVATIONS = 2;

/** A change that waits for its second reading. Commissions in basis points. */
export interface PendingChange {
  vote: string;
  source: Source;
  from: MevState;
  to: number;
  first: Moment;
  /** Label of the endpoint that showed it first. */
  endpoint: string;
  /** A confirm reading may deny it, not confirm it: so many changed at once that further observations are awaited. */
  mass: boolean;
  /** What each witness says by now, by its origin. */
  says: { endpoint: string; commission: MevState }[];
  /** They contradict each other, and no value has a majority: it is asked again with each observation. */
  disputed: boolean;
}

/** In the order of the validators' ordinals, inflation first. */
export function pendingChanges(ledger: Ledger): PendingChange[] {
  const changes: PendingChange[] = [];
  for (const { vote, inflation, mev, pendingInflation, pendingMev } of ledger.validators) {
    if (pendingInflation !== null) {
      const from = inflation?.basisPoints ?? null;
      const toState = ({ basisPoints }: Commission) => basisPoints;
      changes.push({ vote, source: "COMMISSION", from, ...describe(ledger, pendingInflation, toState) });
    }
    if (pendingMev !== null)
      changes.push({ vote, source: "MEV", from: mev, ...describe(ledger, pendingMev, (to) => to) });
  }
  return changes;
}

function describe<Value>(
  { witnesses }: Ledger,
  { to, first, endpoint, mass, testimony }: Pending<Value>,
  toState: (value: Value) => number,
) {
  const says = [...testimony].map(([witness, { value }]) => ({
    endpoint: witnesses[witness]?.origin ?? "",
    commission: value === null ? null : toState(value),
  }));
  const told = new Set(says.flatMap(({ commission }) => commission ?? []));
  says.sort((a, b) => (a.endpoint < b.endpoint ? -1 : 1));
  return { to: toState(to), first, endpoint, mass, says, disputed: told.size > 1 };
}

/** Whether an observation of this moment is a second reading of the change, and not the first one told twice. */
export function isSecondReading({ time }: Moment, { first }: Pending<unknown>): boolean {
  return Date.parse(time) - Date.parse(first.time) >= SECOND_READING_MILLISECONDS;
}

/**
 * Marks the changes that one answer opened when they are too many to be believed as easily as a few.
 * @param rows of the answer
 */
export function doubtMass(opened: readonly Pending<unknown>[], rows: number): void {
  if (opened.length <= MASS_CHANGES || opened.length * 100 <= rows * MASS_PERCENT) return;
  for (const pending of opened) Object.assign(pending, { mass: true, needed: MASS_OBSERVATIONS });
}

/** The same of changes that a majority reads in the vote accounts: further observations must show them as well. */
export function markMass({ validators }: Ledger, changes: readonly Pending<unknown>[]): void {
  const fresh = changes.filter(({ mass }) => !mass);
  if (fresh.length <= MASS_CHANGES) return;
  const listed = validators.filter((validator) => validator.listed).length;
  if (fresh.length * 100 <= listed * MASS_PERCENT) return;
  for (const pending of fresh) Object.assign(pending, { mass: true, needed: MASS_OBSERVATIONS });
}

/** Gives up a change that no second reading confirmed, if there is one. */
export function dropPending(ledger: Ledger, validator: ValidatorRecord, part: "pendingInflation" | "pendingMev"): void {
  if (validator[part] === null) return;
  validator[part] = null;
  ledger.dropped += 1;
}
