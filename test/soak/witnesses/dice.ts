import { createRandom } from "../random.ts";

/** Choices that only depend on a seed. */
export interface Dice {
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  /** @param percent of the throws that are true */
  chance(percent: number): boolean;
  pick<T>(choices: readonly [T, ...T[]]): T;
  /** Those of the items that a throw of so many percent lets through. */
  some<T>(items: readonly T[], percent: number): T[];
}

/** @param stream tells apart what is drawn of one seed, so that more throws for the one do not change the other */
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
