import type { Ledger } from "./ledger.ts";

/* What too few witnesses answer at once is believed once it has stood for some time. */

/** A single witness must answer a change twice, at least this far apart. */
export const REPEAT_MILLISECONDS = 30_000;

/** Once one of two witnesses has been silent for this long, the other decides alone. */
const SILENCE_MILLISECONDS = 3 * 60_000;

/**
 * Whether one of two witnesses, which alone gave a list, must wait for the other one.
 * @param now ISO 8601 in UTC
 */
export function waitsForOther(
  { silent }: Pick<Ledger, "silent">,
  isAlone: boolean,
  now: string,
): boolean {
  return isAlone && (silent === null || !hasStood(silent.since, now, SILENCE_MILLISECONDS));
}

/** More changes than this and than the share below point to a fault of the source. */
const MASS_CHANGES = 20;
const MASS_PERCENT = 5;

/** Further observations that must show a mass change. */
export const MASS_OBSERVATIONS = 2;

/** Whether so many validators change at once that a fault of the source is likelier. */
export function isMass(count: number, of: number): boolean {
  return count > MASS_CHANGES && count * 100 > of * MASS_PERCENT;
}

/**
 * Whether at least `milliseconds` have passed.
 * @param since ISO 8601 in UTC, as `now`
 */
export function hasStood(since: string, now: string, milliseconds: number): boolean {
  return Date.parse(now) - Date.parse(since) >= milliseconds;
}

/*
 * A node answers vote and tip accounts from its accounts database. Under load it returns outdated
 * accounts, or none, together with a current slot, and all nodes may do so at once. Vote lists
 * come from the bank and are never outdated.
 */

/** An account may be outdated by this many slots before the slot of the answer. */
export const OUTDATED_SLOTS = 300;

/**
 * What contradicts a known fact, and only accounts show, is accepted once they have shown it for
 * this long.
 */
export const OUTDATED_MILLISECONDS = 2 * 60_000;
