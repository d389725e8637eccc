/** Numbers that only depend on a seed. */
export interface Random {
  /** A whole number from 0, below a bound. */
  below(bound: number): number;
}

/** Mulberry32: small, and even enough to choose by. */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed, 0x9e3779b1) | 0;
  return {
    below(bound) {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * bound);
    },
  };
}
