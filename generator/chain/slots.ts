/**
 * Healthy nodes differ by at most so many slots. Slots have no fixed length, so clocks do not
 * decide who is behind.
 */
export const NODES_DIFFER_SLOTS = 150;

/**
 * Side questions of a snapshot are answered at most so many slots after its lists: it ends after
 * 90 s, and a healthy node may be ahead.
 */
export const OBSERVED_WITHIN_SLOTS = 600;

/**
 * A node answers `getSignaturesForAddress` before its index has the newest slots; so many may be
 * missing (Agave 4.2).
 */
export const UNINDEXED_SLOTS = 300;

/**
 * The bank that answers may be so many slots further than the slot given for a list (its newest
 * vote) or for many accounts (the lowest answer).
 */
export const READ_SLOTS = 32;
