import { describe, expect, it } from "vitest";
import { crashesOf, createCrashTeller, type Crash } from "./crash.ts";
import { tellStory } from "./story.ts";

/** Of so many deaths one is followed to the end of the story, also when all is well again long before. */
const WHOLLY_EVERY = 40;

/** Runs after which all must be well: a lease that is still held, documents that only the next audit looks at. */
const RUNS_MOST = 4;

/** Milliseconds that all deaths of a tick may take on a slow machine. */
const TIMEOUT = 300_000;

/**
 * Lets a process die at each operation of each tick of an epoch, in each way, and compares with the story without a crash.
 * @param deathsLeast of the epoch: fewer, and the story has become another
 */
export async function describeCrashes(epoch: number, { deathsLeast }: { deathsLeast: number }): Promise<void> {
  const story = await tellStory();
  const crashes = [...crashesOf(story)].filter(({ tick }) => story.ticks[tick]?.epoch === epoch);
  const tell = createCrashTeller(story);
  const byTick = Map.groupBy(crashes, ({ tick }) => tick);

  describe(`a process that dies in the ${nameEpoch(epoch)} epoch, in ${crashes.length} ways`, () => {
    it(`has at least ${deathsLeast} ways to die`, () => {
      expect(crashes.length).toBeGreaterThanOrEqual(deathsLeast);
    });

    it.each([...byTick])(
      "loses nothing and doubles nothing in tick %i",
      async (_, deaths) => {
        expect(await findWrong(tell, deaths)).toEqual([]);
      },
      TIMEOUT,
    );
  });
}

/** The deaths after which something is not as in the story without them, and what. */
async function findWrong(tell: ReturnType<typeof createCrashTeller>, crashes: Crash[]): Promise<unknown[]> {
  const wrong: unknown[] = [];
  for (const [index, crash] of crashes.entries()) {
    const wholly = index % WHOLLY_EVERY === 0;
    const { differences, runs } = await tell(crash, { wholly });
    if (differences.length > 0 || (!wholly && runs > RUNS_MOST)) wrong.push({ ...crash, differences, runs });
  }
  return wrong;
}

function nameEpoch(epoch: number): string {
  return ["first", "second", "third"][epoch] ?? "fourth";
}
