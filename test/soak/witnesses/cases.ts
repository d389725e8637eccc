import { describe, expect, it } from "vitest";
import { toSeeds } from "../soak.ts";
import { ALL_LIES } from "./lies.ts";
import { createTotal, playSeed, tellTotal } from "./seeds.ts";

const SECONDS_A_SEED = 2;
const MINUTES_MOST = 90;

export function describeLiars(
  title: string,
  { panel, ...wanted }: { from: number; seeds: number; panel?: number },
): void {
  const { from, count: seeds } = toSeeds({ from: wanted.from, count: wanted.seeds });
  describe(title, () => {
    const sentence = `tell nothing false, hide nothing for long and stop nothing, in ${seeds} stories from seed ${from} on`;
    it(sentence, { timeout: seeds * SECONDS_A_SEED * 1000 }, async () => {
      const total = createTotal();
      for (let seed = from; seed < from + seeds; seed++)
        expect(await playSeed(seed, { panel, minutesMost: MINUTES_MOST }, total)).toBe("");
      // A story without events proves nothing.
      expect(total.trueEvents, tellTotal(total)).toBeGreaterThan(seeds * 5);
      expect(total.disabled, tellTotal(total)).toBeGreaterThan(seeds / 20);
      expect(total.outdated, tellTotal(total)).toBeGreaterThan(seeds * 5);
      expect([...total.lies.keys()].sort(), tellTotal(total)).toEqual([...ALL_LIES].sort());
    });
  });
}
