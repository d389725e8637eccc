import { describe, expect, it } from "vitest";
import { describeLiars } from "./witnesses/cases.ts";
import { play } from "./witnesses/play.ts";
import type { Record } from "./witnesses/record.ts";
import { drawScenario, type Scenario } from "./witnesses/scenario.ts";
import { judge } from "./witnesses/verdict.ts";

describeLiars("one to four witnesses", { from: 1, seeds: 300 });

describe("the verdict on what was published", () => {
  const kindsOf = (scenario: Scenario, record: Record) =>
    new Set(judge(scenario, record).faults.map(({ kind }) => kind));
  const scenario = drawScenario(1, { panel: 3, minutesMost: 60 });
  const played = play(scenario);

  async function withEvent(change: Partial<Record["events"][number]["event"]>): Promise<Record> {
    const { record } = await played;
    const [first, ...others] = record.events;
    if (first === undefined) throw new Error("the story has no event");
    return { ...record, events: [{ ...first, event: { ...first.event, ...change } }, ...others] };
  }

  it("finds nothing in what was published rightly", async () => {
    const { record } = await played;
    expect(record.events.length).toBeGreaterThan(0);
    expect(kindsOf(scenario, record)).toEqual(new Set());
  });

  it("finds an event to a rate that never stood, in another epoch, or graver than it is", async () => {
    for (const change of [
      { to: 4_321 },
      { from: 4_321 },
      { epoch: 1 },
      { slot: 1 },
      { severity: "RUG" as const, to: 0 },
    ])
      expect(kindsOf(scenario, await withEvent(change)), JSON.stringify(change)).toEqual(new Set(["false event"]));
  });

  it("finds changes that were hidden", async () => {
    const { record } = await played;
    const held = new Map([...record.held].map(([vote, all]) => [vote, all.slice(0, 2)]));
    expect(kindsOf(scenario, { ...record, held })).toContain("missed");
  });

  it("finds rates that are not, or no more", async () => {
    const { record } = await played;
    const other = { at: scenario.end, rate: 4_321, isSettled: true };
    const held = new Map([...record.held].map(([vote, all]) => [vote, [...all, other]]));
    expect(kindsOf(scenario, { ...record, held })).toEqual(new Set(["wrong rate"]));
  });

  it("finds that nothing was accepted for long", async () => {
    const { record } = await played;
    const noted = record.noted.filter(({ at }) => at < scenario.begin + 10 * 60_000);
    expect(kindsOf(scenario, { ...record, noted })).toEqual(new Set(["stopped"]));
  });
});
