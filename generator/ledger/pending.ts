import type { Source } from "../contract/event.ts";
import type { Ledger } from "./ledger.ts";
import type { Commission, MevState, Moment, Pending, ValidatorRecord } from "./records.ts";
import { isRefuted } from "./refutations.ts";
import { originOf } from "./witnesses.ts";

export const SECOND_READING_MILLISECONDS = 30_000;

/** More changes in one answer than both limits put its source in doubt. */
const MASS_CHANGES = 20;
const MASS_PERCENT = 5;
/** Further ones that must show it. */
export const MASS_OBSERVATIONS = 2;

/** Basis points. */
export interface PendingChange {
  vote: string;
  source: Source;
  from: MevState;
  to: number;
  first: Moment;
  endpoint: string;
  /** With so many others that further observations must show it. */
  mass: boolean;
  says: { endpoint: string; commission: MevState }[];
  /** No majority, or no transaction made it; each observation asks again. */
  disputed: boolean;
}

export function pendingChanges(ledger: Ledger): PendingChange[] {
  const changes: PendingChange[] = [];
  for (const validator of ledger.validators) {
    const { vote, inflation, pendingInflation } = validator;
    if (pendingInflation !== null) {
      const from = inflation?.basisPoints ?? null;
      const toState = ({ basisPoints }: Commission) => basisPoints;
      const change = describe(ledger, pendingInflation, toState);
      const disputed = change.disputed || isPendingRefuted(validator, pendingInflation);
      changes.push({ vote, source: "COMMISSION", from, ...change, disputed });
    }
    changes.push(...pendingTipsOf(validator));
  }
  return changes;
}

/** Of an epoch at most; what closed epochs lack is no change until it is agreed. */
function pendingTipsOf({ vote, mev, pendingTips }: ValidatorRecord): PendingChange[] {
  return [...pendingTips].flatMap(([epoch, { to, first, says, isDisputed }]): PendingChange[] => {
    if (to === "absent" || mev === null || to === mev) return [];
    const told = says.map(({ endpoint, state }) => ({
      endpoint: originOf(endpoint),
      commission: state === "absent" ? ("disabled" as const) : state,
    }));
    const [one] = told;
    const change = { to, first: { ...first, epoch }, endpoint: one?.endpoint ?? "", mass: false };
    return [{ vote, source: "MEV", from: mev, ...change, says: told, disputed: isDisputed }];
  });
}

function isPendingRefuted(validator: ValidatorRecord, { previous, first, to }: Pending<Commission>): boolean {
  return isRefuted(validator, { after: previous.slot, upTo: first.slot, to: to.basisPoints });
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

export function isSecondReading({ time }: Moment, { first }: Pending<unknown>): boolean {
  return Date.parse(time) - Date.parse(first.time) >= SECOND_READING_MILLISECONDS;
}

/** More validators at once than both limits: rather a fault of the source. */
export function isMass(count: number, of: number): boolean {
  return count > MASS_CHANGES && count * 100 > of * MASS_PERCENT;
}

/** Of changes that a majority shows. */
export function markMass({ validators }: Ledger, changes: readonly Pending<unknown>[]): void {
  const fresh = changes.filter(({ mass }) => !mass);
  if (fresh.length === 0) return;
  const listed = validators.filter((validator) => validator.listed).length;
  if (!isMass(fresh.length, listed)) return;
  for (const pending of fresh) Object.assign(pending, { mass: true, needed: MASS_OBSERVATIONS });
}

export function dropPending(ledger: Ledger, validator: ValidatorRecord): void {
  if (validator.pendingInflation === null) return;
  validator.pendingInflation = null;
  ledger.dropped += 1;
}
