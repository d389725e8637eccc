import fc from "fast-check";
import type { Entry } from "../../generator/entries/entry.ts";
import { NAMES, oddStory } from "../ledger/odd-stories.ts";
import { history, type ToldPoint } from "../ledger/told-history.ts";
import { anyStory } from "./made-up-stories.ts";

/** Usual values are likelier, so that neighbours often agree. */
export function anyHistory(at: { min: number; max: number }) {
  const point = fc.record(
    {
      at: fc.integer(at),
      percent: fc.constantFrom(5, 5, 6, 95, 254),
      mev: fc.constantFrom(800, 800, 9500, 65_534),
      stake: fc.constantFrom(5_000_000_000n, 6_000_000_000n),
      rank: fc.nat({ max: 9 }),
    },
    { requiredKeys: ["at"] },
  );
  const points = fc.uniqueArray(point, { selector: (one) => one.at, minLength: 1, maxLength: 12 });
  return fc.dictionary(fc.constantFrom(...NAMES.slice(0, 4)), points, { minKeys: 1 }) as fc.Arbitrary<
    Record<string, ToldPoint[]>
  >;
}

function withHistories(story: fc.Arbitrary<Entry[]>, at: { min: number; max: number }): fc.Arbitrary<Entry[]> {
  return fc
    .tuple(story, fc.array(fc.tuple(fc.nat(), anyHistory(at)), { minLength: 1, maxLength: 4 }))
    .map(([entries, histories]) =>
      histories.reduce((woven, [place, told]) => {
        const index = 1 + (place % woven.length);
        const { time } = woven[index - 1]!;
        return woven.toSpliced(index, 0, { ...history(0, told), time });
      }, entries),
    );
}

export const storyWithHistories = fc.oneof(
  withHistories(oddStory, { min: -6, max: 4 }),
  withHistories(oddStory, { min: -118, max: -108 }),
  withHistories(anyStory, { min: -6, max: 4 }),
);
