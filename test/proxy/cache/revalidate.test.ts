import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  createRevalidated,
  drawRetryDelay,
  PATIENCE_MILLISECONDS,
} from "../../../proxy/cache/revalidate.ts";

/** A held value whose readings end when the test says so. */
function hold() {
  const source = {
    now: 1_000_000,
    readings: [] as PromiseWithResolvers<string>[],
    /** Ends the newest reading. */
    async give(value: string): Promise<void> {
      source.readings.at(-1)?.resolve(value);
      await vi.advanceTimersByTimeAsync(0);
    },
    async fail(): Promise<void> {
      source.readings.at(-1)?.reject(new Error("down"));
      await vi.advanceTimersByTimeAsync(0);
    },
  };
  const held = createRevalidated<string>({
    now: () => source.now,
    toRetryDelay: (failures) => drawRetryDelay(failures, () => 0),
    trouble: { failed: () => undefined, succeeded: () => undefined },
    load() {
      const reading = Promise.withResolvers<string>();
      source.readings.push(reading);
      return reading.promise;
    },
  });
  return { held, source };
}

/** The same with a value read already. */
async function holdValue() {
  const { held, source } = hold();
  const first = held();
  await source.give("old");
  expect(await first).toMatchObject({ value: "old", stale: false, ageSeconds: 0 });
  return { held, source };
}

describe("a held value", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is read once for all who ask while nothing is held", async () => {
    const { held, source } = hold();
    const asked = Array.from({ length: 1_000 }, () => held());
    await source.give("value");
    expect(new Set((await Promise.all(asked)).map(({ value }) => value))).toEqual(
      new Set(["value"]),
    );
    expect(source.readings).toHaveLength(1);
  });

  it("is served at once while it is read anew, with its age from then on", async () => {
    const { held, source } = await holdValue();
    source.now += 14_999;
    expect(await held()).toMatchObject({ value: "old", stale: false, ageSeconds: 0 });
    expect(source.readings).toHaveLength(1);
    source.now += 1;
    for (let time = 0; time < 2; time++)
      expect(await held()).toMatchObject({ value: "old", stale: false, ageSeconds: 15 });
    expect(source.readings).toHaveLength(2);
    await source.give("new");
    expect(await held()).toMatchObject({ value: "new", stale: false, ageSeconds: 0 });
  });

  it("counts its age from when the source was asked, not from when it had answered", async () => {
    const { held, source } = hold();
    const first = held();
    source.now += 4_000;
    await source.give("value");
    await first;
    source.now += 11_500;
    expect(await held()).toMatchObject({ ageSeconds: 15 });
  });

  it("is served, however old, while the source fails: marked stale, with its age", async () => {
    const { held, source } = await holdValue();
    for (let hours = 1; hours <= 3; hours++) {
      source.now += 3_600_000;
      const asked = held();
      await source.fail();
      expect(await asked).toMatchObject({ value: "old", stale: true, ageSeconds: hours * 3_600 });
    }
  });

  it("lets a request wait a moment for a newer value than one of a minute, and no longer", async () => {
    const { held, source } = await holdValue();
    source.now += 60_000;
    let answered = 0;
    const asked = [held(), held()].map((answer) => answer.finally(() => (answered += 1)));
    await vi.advanceTimersByTimeAsync(PATIENCE_MILLISECONDS - 1);
    expect(answered).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(await Promise.all(asked)).toMatchObject(
      Array(2).fill({ value: "old", stale: true, ageSeconds: 60 }),
    );
    // Who comes while the same reading hangs waits no more.
    expect(await held()).toMatchObject({ value: "old", stale: true });
    expect(vi.getTimerCount()).toBe(0);
    await source.give("new");
    expect(await held()).toMatchObject({ value: "new", stale: false, ageSeconds: 0 });
  });

  it("is tried again later and later while the source fails, and soon again after it was well", async () => {
    const { held, source } = await holdValue();
    source.now += 15_000;
    await held();
    const failAndWait = async (delay: number) => {
      await source.fail();
      const tries = source.readings.length;
      source.now += delay - 1;
      await held();
      expect(source.readings).toHaveLength(tries);
      source.now += 1;
      await held();
      expect(source.readings).toHaveLength(tries + 1);
    };
    for (const delay of [2_000, 4_000, 8_000, 15_000, 15_000]) await failAndWait(delay);
    await source.give("new");
    source.now += 15_000;
    await held();
    await failAndWait(2_000);
  });

  it("throws what the source threw while nothing was ever read", async () => {
    const { held, source } = hold();
    const refused = expect(held()).rejects.toThrow("down");
    await source.fail();
    await refused;
    await expect(held()).rejects.toThrow("down");
    expect(source.readings).toHaveLength(1);
  });

  it("is read anew when the clock was set back, and is never younger than nothing", async () => {
    const { held, source } = await holdValue();
    source.now -= 3_600_000;
    expect(await held()).toMatchObject({ value: "old", stale: false, ageSeconds: 0 });
    expect(source.readings).toHaveLength(2);
  });

  it.each([
    [1, [2_000, 1_500, 1_001]],
    [1_000_000, [15_000, 11_250, 7_507.5]],
  ])(
    "is tried again after a time from the upper half, so that not all come at once; failures: %i",
    (failures, delays) => {
      for (const [index, drawn] of [0, 0.5, 0.999].entries())
        expect(drawRetryDelay(failures, () => drawn)).toBeCloseTo(delays[index]!, 0);
    },
  );
});
