import { describe, expect, it } from "vitest";
import { ALL_LIES } from "./lies.ts";
import { play } from "./play.ts";
import { drawScenario } from "./scenario.ts";
import { tellStory } from "./tell.ts";
import { toSeeds } from "../soak.ts";
import { addToTotal, createTotal, tellTotal } from "./total.ts";
import { judge } from "./verdict.ts";

/** Seconds that a seed may take on a busy machine. */
const SECONDS_A_SEED = 2;
const MINUTES_MOST = 90;

/** Seeds of one file: several run side by side. */
export function describeLiars(
  title: string,
  { panel, ...wanted }: { from: number; seeds: number; panel?: number },
): void {
  const { from, count: seeds } = toSeeds({ from: wanted.from, count: wanted.seeds });
  describe(title, () => {
    const sentence = `tell nothing false, hide nothing for long and stop nothing, in ${seeds} stories from seed ${from} on`;
    it(sentence, { timeout: seeds * SECONDS_A_SEED * 1000 }, async () => {
      const total = createTotal();
      for (let seed = from; seed < from + seeds; seed++) {
        const scenario = drawScenario(seed, { panel, minutesMost: MINUTES_MOST });
        const played = await play(scenario);
        const verdict = judge(scenario, played.record, { applied: true });
        addToTotal(total, played, verdict, scenario.promise === "everything");
        expect(verdict.faults, tellStory(scenario, played.record, verdict)).toEqual([]);
      }
      // A story in which nothing is said proves nothing.
      expect(total.trueEvents, tellTotal(total)).toBeGreaterThan(seeds * 5);
      if (panel !== 1) expect([...total.lies.keys()].sort(), tellTotal(total)).toEqual([...ALL_LIES].sort());
    });
  });
}
