export interface Random {
  below(bound: number): number;
}

/** Mulberry32: small, and even enough for choices. */
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

export interface Dice {
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  chance(percent: number): boolean;
  pick<T>(choices: readonly [T, ...T[]]): T;
  some<T>(items: readonly T[], percent: number): T[];
}

/** @param stream separates draws of one seed, so that more throws of one do not change another */
export function createDice(seed: number, stream: number): Dice {
  const random = createRandom(seed * 64 + stream);
  const between = (least: number, most: number) => least + random.below(most - least + 1);
  const chance = (percent: number) => random.below(100) < percent;
  return {
    between,
    chance,
    pick: (choices) => choices[random.below(choices.length)] ?? choices[0],
    some: (items, percent) => items.filter(() => chance(percent)),
  };
}
