import { describe, expect, it } from "vitest";
import { createRestarts } from "../../../proxy/operations/restarts.ts";

describe("processes that die", () => {
  it("are started again, each later than the one before, and given up at the fifth death of a minute", () => {
    const { afterDeath } = createRestarts({ now: () => 0 });
    expect(Array.from({ length: 5 }, afterDeath)).toEqual([100, 200, 400, 800, null]);
  });

  it("are started again for ever if they die seldom", () => {
    let now = 0;
    const { afterDeath } = createRestarts({ now: () => now });
    for (let death = 0; death < 100; death++) {
      now += 15_000;
      expect(afterDeath()).toBeLessThanOrEqual(800);
    }
    now += 60_000;
    expect(afterDeath()).toBe(100);
  });
});
