/*
 * A node answers vote and tip accounts from its accounts database. Under load it gives them as they were before, or
 * finds none, under a right slot; all nodes may do so at once. Lists come from the bank and are never outdated.
 */

/** An account may be as it was so many slots before the answer's slot. */
export const OUTDATED_SLOTS = 300;

/** What accounts alone show counts once they have shown it for so long. */
export const OUTDATED_MILLISECONDS = 2 * 60_000;
