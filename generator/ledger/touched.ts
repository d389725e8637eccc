import type { Severity } from "../contract/event.ts";

/** What an entry changed, by what would have to be rendered again. Numbers are ordinals of validators, or epochs. */
export interface Touched {
  profiles: Set<number>;
  events: Set<number>;
  commissions: Set<number>;
  stakes: Set<number>;
  uptime: Set<number>;
  locations: Set<number>;
  /** Of which more transactions are known, or more is covered by searches. */
  proofs: Set<number>;
  /** Epochs whose list of events changed. */
  epochs: Set<number>;
  /** Closed epochs of which a stake, a rank or a commission changed; those that have just closed, or run again. */
  points: Set<number>;
  /** Severities of which a confirmed event changed. */
  severities: Set<Severity>;
}

export function createTouched(): Touched {
  return {
    profiles: new Set(),
    events: new Set(),
    commissions: new Set(),
    stakes: new Set(),
    uptime: new Set(),
    locations: new Set(),
    proofs: new Set(),
    epochs: new Set(),
    points: new Set(),
    severities: new Set(),
  };
}

/** Adds all of `more` to `touched`. */
export function addTouched(touched: Touched, more: Touched): void {
  for (const part of Object.keys(touched) as (keyof Touched)[]) {
    const items: Set<unknown> = touched[part];
    for (const item of more[part]) items.add(item);
  }
}
