/** The delegator keeps a tenth or less. */
export const RUG_PERCENT = 90;
export const RUG_BASIS_POINTS = 100 * RUG_PERCENT;

/** A rise by this or more that ends below {@link RUG_PERCENT}; percentage points. */
export const CAUTION_POINTS = { COMMISSION: 10, MEV: 20 } as const;
