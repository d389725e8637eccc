/** A rise to this rate or more is a RUG. */
export const RUG_PERCENT = 90;
/** {@link RUG_PERCENT} in basis points. */
export const RUG_BASIS_POINTS = 100 * RUG_PERCENT;
/** {@link RUG_PERCENT} as sentences show it. */
export const RUG_RATE = `${RUG_PERCENT} %`;

/**
 * Percentage points by which a rate must rise to be a CAUTION, if it stays below {@link
 * RUG_PERCENT}.
 */
export const CAUTION_POINTS = { COMMISSION: 10, MEV: 20 } as const;
