import type { Source } from "../contract/event.ts";
import type { Ledger, MevState, Moment } from "./ledger.ts";

/** A change that waits for its second reading. Commissions in basis points. */
export interface PendingChange {
  vote: string;
  source: Source;
  from: MevState;
  to: number;
  first: Moment;
  /** Label of the endpoint that showed it first. */
  endpoint: string;
  /** A confirm reading decides nothing about it: so many changed at once that further observations are awaited. */
  mass: boolean;
}

/** In the order of the validators' ordinals, inflation first. */
export function pendingChanges(ledger: Ledger): PendingChange[] {
  return ledger.validators.flatMap(({ vote, inflation, mev, pendingInflation, pendingMev }) => {
    const changes: PendingChange[] = [];
    if (pendingInflation !== null) {
      const { to, first, endpoint, mass } = pendingInflation;
      changes.push({
        vote,
        source: "COMMISSION",
        from: inflation?.basisPoints ?? null,
        to: to.basisPoints,
        first,
        endpoint,
        mass,
      });
    }
    if (pendingMev !== null) {
      const { to, first, endpoint, mass } = pendingMev;
      changes.push({ vote, source: "MEV", from: mev, to, first, endpoint, mass });
    }
    return changes;
  });
}
