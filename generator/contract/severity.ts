export const RUG_PERCENT = 90;
export const RUG_BASIS_POINTS = 100 * RUG_PERCENT;
/** {@link RUG_PERCENT} in a sentence. */
export const RUG_RATE = `${RUG_PERCENT} %`;

/** Of a rise that ends below {@link RUG_PERCENT}. */
export const CAUTION_POINTS = { COMMISSION: 10, MEV: 20 } as const;
