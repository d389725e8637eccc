import type { Ledger } from "./ledger.ts";

/* What too few witnesses answer at once is believed once it has stood for some time. */

/** One witness alone must answer a change twice, so far apart. */
export const REPEAT_MILLISECONDS = 30_000;

/** After this, one of two witnesses decides alone. */
export const SILENCE_MILLISECONDS = 3 * 60_000;

/**
 * Whether one of two witnesses, which alone answered, must wait for the other one.
 * @param now ISO 8601 in UTC
 */
export function waitsForOther(
  { silent }: Pick<Ledger, "silent">,
  isAlone: boolean,
  now: string,
): boolean {
  return isAlone && (silent === null || !hasStood(silent.since, now, SILENCE_MILLISECONDS));
}

/** More changes in one answer than both limits rather come from a fault of its source. */
const MASS_CHANGES = 20;
const MASS_PERCENT = 5;

/** Further observations that must show a mass change. */
export const MASS_OBSERVATIONS = 2;

/** More validators at once than both limits: rather a fault of the source. */
export function isMass(count: number, of: number): boolean {
  return count > MASS_CHANGES && count * 100 > of * MASS_PERCENT;
}

/** @param since ISO 8601 in UTC, as `now` */
export function hasStood(since: string, now: string, milliseconds: number): boolean {
  return Date.parse(now) - Date.parse(since) >= milliseconds;
}

/*
 * A node answers vote and tip accounts from its accounts database. Under load
 * it gives them as they were before, or finds none, under a right slot; all
 * nodes may do so at once. Lists come from the bank and are never outdated.
 */

/** An account may be as it was so many slots before the answer's slot. */
export const OUTDATED_SLOTS = 300;

/** What accounts alone show counts once they have shown it for so long. */
export const OUTDATED_MILLISECONDS = 2 * 60_000;
