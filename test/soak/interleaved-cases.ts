import { beforeAll, describe, expect, it } from "vitest";
import { commandFor, openStage, tryInterleaving, type Stage } from "./interleaved.ts";
import { toSeeds } from "./soak.ts";

const VALIDATORS = 12;
const SEEDS_AT_A_TIME = 25;

export function describeInterleavings(options: {
  generators: number;
  from: number;
  count: number;
}): void {
  const { generators } = options;
  const { from, count } = toSeeds(options);
  describe(`${generators} generators at once, in ${count} orders`, () => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await openStage(VALIDATORS);
    });

    it.each(
      Array.from({ length: count / SEEDS_AT_A_TIME }, (_, index) => from + index * SEEDS_AT_A_TIME),
    )(`publish what one alone would, from seed %i on`, async (first) => {
      let deaths = 0;
      for (let seed = first; seed < first + SEEDS_AT_A_TIME; seed += 1) {
        const outcome = await tryInterleaving(stage, { generators, seed });
        deaths += outcome.deaths;
        expect(outcome.faults, commandFor(stage, { generators, seed })).toEqual([]);
      }
      expect(deaths).toBeGreaterThan(SEEDS_AT_A_TIME / 2);
    });
  });
}
