/**
 * Healthy nodes differ by at most so many slots. They
 * have no fixed length, so clocks do not judge it.
 */
export const NODES_DIFFER_SLOTS = 150;

/** A node answers before its index has the newest slots (`getSignaturesForAddress`, Agave 4.2). */
export const UNINDEXED_SLOTS = 300;

/**
 * The answering bank may be this much further than the slot of
 * a list (its newest vote) or of many accounts (the lowest).
 */
export const READ_SLOTS = 32;
