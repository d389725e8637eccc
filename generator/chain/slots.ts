/** Healthy nodes differ by at most so many slots. */
export const NODES_DIFFER_SLOTS = 150;

/** A node answers before its index has the newest slots (`getSignaturesForAddress`, Agave 4.2). */
export const UNINDEXED_SLOTS = 300;
