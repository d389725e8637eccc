import "./at-once.ts";
import { describe, expect, it } from "vitest";
import { crashesOf, createCrashTeller } from "./crash.ts";
import { SOAK } from "./soak.ts";
import { playStory } from "./story.ts";

/** Nightly every death is told; else one in eight, and in each epoch others. */
const TOLD_EVERY = SOAK === 1 ? 8 : 1;
/** One of these in so many is followed to the end of the story. */
const WHOLLY_EVERY = 40;
/** Enough for a held lease, and for documents that only the next audit looks at. */
const RUNS_MOST = 4;

const story = await playStory();
const crashes = [...crashesOf(story)];
const tell = createCrashTeller(story);

describe.each([
  ["first", 0, 700],
  ["second", 1, 700],
  ["third", 2, 700],
  ["fourth", 3, 100],
])("a process that dies in the %s epoch", (_, epoch, waysLeast) => {
  const own = crashes.filter(({ tick }) => story.ticks[tick]?.epoch === epoch);
  const told = own.filter((_, index) => index % TOLD_EVERY === epoch % TOLD_EVERY);

  it(`has at least ${waysLeast} ways to die`, () => {
    expect(own.length).toBeGreaterThanOrEqual(waysLeast);
  });

  it.each([...Map.groupBy(told, ({ tick }) => tick)])(
    "loses nothing and doubles nothing in tick %i",
    async (_, deaths) => {
      const wrong: unknown[] = [];
      for (const [index, crash] of deaths.entries()) {
        const wholly = index % WHOLLY_EVERY === 0;
        const { differences, runs } = await tell(crash, { wholly });
        if (differences.length > 0 || (!wholly && runs > RUNS_MOST))
          wrong.push({ ...crash, differences, runs });
      }
      expect(wrong).toEqual([]);
    },
  );
});
