import type { StoryItem } from "../fold.ts";
import fc from "fast-check";
import { history, type SampledPoint } from "../history.ts";
import { toEntries } from "./entries.ts";
import { NAMES, oddScene } from "./scenes.ts";
import { usualScene } from "./usual-scenes.ts";

/** Stories in which anything may be odd. */
export const oddStory: fc.Arbitrary<StoryItem[]> = fc
  .record({
    scenes: fc.array(oddScene, { minLength: 8, maxLength: 30, size: "medium" }),
    early: fc.boolean(),
    newcomersFrom: fc.constantFrom(0, 3, 6),
  })
  .map(toEntries);

/** Stories in which anything may change, and much is believed. */
export const usualStory: fc.Arbitrary<StoryItem[]> = fc
  .array(usualScene, { minLength: 6, maxLength: 40, size: "medium" })
  .map((scenes) => toEntries({ scenes, early: false, newcomersFrom: 0 }));

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
  return fc.dictionary(fc.constantFrom(...NAMES.slice(0, 4)), points, {
    minKeys: 1,
  }) as fc.Arbitrary<Record<string, SampledPoint[]>>;
}

function withHistories(
  story: fc.Arbitrary<StoryItem[]>,
  at: { min: number; max: number },
): fc.Arbitrary<StoryItem[]> {
  return fc
    .tuple(story, fc.array(fc.tuple(fc.nat(), anyHistory(at)), { minLength: 1, maxLength: 4 }))
    .map(([entries, histories]) =>
      histories.reduce((woven, [place, points]) => {
        const index = 1 + (place % woven.length);
        const before = woven[index - 1]!;
        const { time } = before.kind === "ruling" ? before.on : before;
        return woven.toSpliced(index, 0, { ...history(0, points), time });
      }, entries),
    );
}

export const storyWithHistories = fc.oneof(
  withHistories(oddStory, { min: -6, max: 4 }),
  withHistories(oddStory, { min: -118, max: -108 }),
  withHistories(usualStory, { min: -6, max: 4 }),
);
